package main

const long = `rangeassign prints which member of a consumer group owns which partition, as
Kafka's range assignor decides it. It reads FILE, or standard input where there
is none or it is -, line by line:

  topic NAME COUNT            a topic and how many partitions it has
  member ID HEX [INSTANCE]    a member, the subscription that it sends when it
                              joins (ConsumerProtocolSubscription) in hexadecimal,
                              and its group instance id if it is a static member
  # ...                       a comment

Blanks and tabs divide the fields; blank lines are passed over. Members are
printed in Kafka's order: static members first, by instance id, then the others
by member id, a minus for one without partitions.

Racks are ignored, as by Kafka where brokers tell none. A topic that a member
names twice counts once, where some clients count that member twice. A topic
without a line of its own is passed over.`

const example = `  $ rangeassign <<END
  topic a 3
  topic b 1
  member consumer-2  000000000001000161ffffffff
  member consumer-10 00000000000200016100016200000000
  member consumer-3  000000000000ffffffff
  END
  consumer-10: a=0,1 b=0
  consumer-2: a=2
  consumer-3: -

  $ rangeassign --json group.txt
  {
    "consumer-10": {"a":[0,1],"b":[0]},
    "consumer-2": {"a":[2]},
    "consumer-3": {}
  }

Exit codes: 0 done, 1 the answer could not be written, 2 wrong usage or input.`
