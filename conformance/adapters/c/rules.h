/* rules.h - handlers that follow a case's rules, and what they were given. */
#ifndef RULES_H
#define RULES_H

#include "adapter.h"

/* Carries out a call of a rule and returns its result. */
typedef json_t *perform(uint64_t broker, const json_t *call);

/* Enters the handler of ["subscribe", topic, name, rules, options]; returns its cookie. */
uint64_t add_handler(const json_t *subscribe);

/* Calls the handler, or its filter first: returns an eb_pubsub_outcome. */
int64_t call_handler(uint64_t broker, uint64_t cookie, const char *payload, int64_t payload_len, perform *perform);

/* The payloads that the handlers of a topic and name were given since the case began. */
json_t *calls_of(const json_t *topic, const json_t *name);

/* Forgets all: the case has ended. */
void forget_handlers(void);

#endif
