/* The header alone, twice, as strict C99. */
#include "eventbroker.h"

#include "eventbroker.h"

/* The frames have no holes: 16 bytes a record, a message and a position. */
typedef char record_is_16_bytes[sizeof(eb_event_record) == 16 ? 1 : -1];
typedef char message_is_16_bytes[sizeof(eb_event_message) == 16 ? 1 : -1];
typedef char position_is_16_bytes[sizeof(eb_event_position) == 16 ? 1 : -1];
typedef char header_is_16_bytes[sizeof(eb_message_header) == 16 ? 1 : -1];
typedef char message_options_is_16_bytes[sizeof(eb_message_options) == 16 ? 1 : -1];
typedef char delivery_is_56_bytes[sizeof(eb_pubsub_delivery) == 56 ? 1 : -1];
typedef char letter_is_24_bytes[sizeof(eb_pubsub_letter) == 24 ? 1 : -1];
typedef char standing_is_32_bytes[sizeof(eb_pubsub_standing) == 32 ? 1 : -1];
typedef char pubsub_options_is_80_bytes[sizeof(eb_pubsub_options) == 80 ? 1 : -1];
typedef char subscription_is_40_bytes[sizeof(eb_pubsub_subscription) == 40 ? 1 : -1];
typedef char options_is_16_bytes[sizeof(eb_event_options) == 16 ? 1 : -1];

int main(void) { return eb_abi_version() / 65536 == EB_ABI_MAJOR ? 0 : 1; }
