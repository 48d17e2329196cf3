// A small EventBroker of JavaScript's own, which shares no code with the library:
// what the adapter beside it drives. Integers may be numbers or BigInts; offsets
// come back as BigInts, since a number is exact only up to 2^53.

export class InvalidArgument extends RangeError {
    name = 'InvalidArgument';
}

const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_OFFSET = 2n ** 63n - 1n;

function check(holds, argument, wanted) {
    if (!holds) {
        throw new InvalidArgument(`${argument} is not ${wanted}`);
    }
}

function identifiers(names) {
    for (const [argument, name] of Object.entries(names)) {
        check(typeof name === 'string' && IDENTIFIER.test(name), argument, '1 to 64 of A-Z a-z 0-9 _ -');
    }
}

function integer(argument, value, least, most) {
    const whole = typeof value === 'bigint' || Number.isInteger(value);
    check(whole && value >= least && value <= most, argument, `an integer from ${least} through ${most}`);
}

export class EventBroker {
    #capacity;
    #maxPayload;
    #topics = new Map();

    constructor(capacityPerPartition, { maxPayload = 1024 } = {}) {
        integer('capacityPerPartition', capacityPerPartition, 1, 1000);
        integer('maxPayload', maxPayload, 1, 1 << 20);
        this.#capacity = Number(capacityPerPartition);
        this.#maxPayload = Number(maxPayload);
    }

    // EB-02
    create(topic, partitionCount) {
        identifiers({ topic });
        integer('partitionCount', partitionCount, 1, 64);
        if (this.#topics.has(topic)) {
            return false;
        }
        const partitions = Array.from({ length: Number(partitionCount) }, () => ({ base: 0n, payloads: [] }));
        this.#topics.set(topic, { partitions, groups: new Map() });
        return true;
    }

    // EB-05: the offset, or -1n when the partition is full.
    publish(topic, partition, payload) {
        const log = this.#partition(topic, partition);
        check(typeof payload === 'string' && payload.isWellFormed(), 'payload', 'a string that UTF-8 can write');
        check(Buffer.byteLength(payload) <= this.#maxPayload, 'payload', `within ${this.#maxPayload} bytes`);
        if (log.payloads.length === this.#capacity) {
            return -1n;
        }
        return log.base + BigInt(log.payloads.push(payload) - 1);
    }

    // EB-06 to EB-10: the partitions that are now the member's.
    join(topic, group, member) {
        const { partitions, groups } = this.#topic(topic, { group, member });
        if (!groups.has(group)) {
            // EB-07: the base is the earliest record, or where the next one will be.
            groups.set(group, { members: [], cursors: partitions.map(({ base }) => ({ committed: base, inFlight: false })) });
        }
        const joined = groups.get(group);
        rebalance(joined, [...new Set([...joined.members, member])]);
        return owned(joined, member);
    }

    leave(topic, group, member) {
        const left = this.#topic(topic, { group, member }).groups.get(group);
        if (!left?.members.includes(member)) {
            return false;
        }
        rebalance(left, left.members.filter((name) => name !== member));
        return true;
    }

    // EB-12
    poll(topic, group, member, maxRecords) {
        const { partitions, groups } = this.#topic(topic, { group, member });
        integer('maxRecords', maxRecords, 1, 64);
        const records = [];
        for (const partition of owned(groups.get(group), member)) {
            const cursor = groups.get(group).cursors[partition];
            const payload = payloadAt(partitions[partition], cursor.committed);
            if (!cursor.inFlight && payload !== undefined && records.length < maxRecords) {
                cursor.inFlight = true;
                records.push({ topic, partition, offset: cursor.committed, payload });
            }
        }
        return records;
    }

    // EB-13, EB-14
    ack(topic, group, member, partition, offset) {
        const cursor = this.#delivery(topic, group, member, partition, offset);
        if (cursor === undefined) {
            return false;
        }
        cursor.inFlight = false;
        cursor.committed++;
        trim(this.#topics.get(topic), Number(partition));
        return true;
    }

    retry(topic, group, member, partition, offset) {
        const cursor = this.#delivery(topic, group, member, partition, offset);
        if (cursor === undefined) {
            return false;
        }
        cursor.inFlight = false;
        return true;
    }

    #topic(topic, names = {}) {
        identifiers({ topic, ...names });
        check(this.#topics.has(topic), 'topic', 'one that exists');
        return this.#topics.get(topic);
    }

    #partition(topic, partition) {
        const { partitions } = this.#topic(topic);
        integer('partition', partition, 0, partitions.length - 1);
        return partitions[Number(partition)];
    }

    // The cursor where just this delivery to the member is in flight.
    #delivery(topic, name, member, partition, offset) {
        identifiers({ group: name, member });
        this.#partition(topic, partition);
        integer('offset', offset, 0n, MAX_OFFSET);
        const group = this.#topics.get(topic).groups.get(name);
        const cursor = group?.cursors[Number(partition)];
        const theirs = cursor?.inFlight && owner(group, Number(partition)) === member;
        return theirs && cursor.committed === BigInt(offset) ? cursor : undefined;
    }
}

// EB-08. Names are ASCII, so JavaScript's order of them is that of their bytes.
function owner({ members }, partition) {
    return members[partition % members.length];
}

function owned(group, member) {
    return (group?.cursors ?? []).map((_, partition) => partition).filter((partition) => owner(group, partition) === member);
}

// EB-10: a partition that moves loses its delivery and keeps its progress.
function rebalance(group, members) {
    const before = group.cursors.map((_, partition) => owner(group, partition));
    group.members = members.sort();
    group.cursors.forEach((cursor, partition) => {
        cursor.inFlight &&= owner(group, partition) === before[partition];
    });
}

function payloadAt({ base, payloads }, offset) {
    return payloads[Number(offset - base)];
}

// EB-14: what every group has acknowledged goes.
function trim({ partitions, groups }, partition) {
    const log = partitions[partition];
    while ([...groups.values()].every(({ cursors }) => cursors[partition].committed > log.base)) {
        log.payloads.shift();
        log.base++;
    }
}
