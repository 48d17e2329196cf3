// Drives broker.mjs for the conformance kit: a line of JSON in, a line out.
// conformance/ADAPTERS.md walks through it.

import { EventBroker } from './broker.mjs';

if (JSON.parse('1', (key, value, context) => context?.source) !== '1') {
    console.error('adapter.mjs: needs Node.js 21, or 20 with --harmony-json-parse-with-source, else integers are rounded');
    process.exit(1);
}

const HELLO = {
    protocol: 1,
    surface: 'node',
    implementation: 'broker.mjs',
    runtime: `Node.js ${process.versions.node}`,
    systems: ['event'],
    features: ['null_strings', 'wide_integers'],
    errors: { invalid_argument: 'InvalidArgument' },
    serial: true,
};

// Numbers beyond 2^53 are BigInts, read from the digits that were sent.
function fromWire(key, value, { source }) {
    return typeof value === 'number' && !Number.isSafeInteger(value) ? BigInt(source) : value;
}

// JSON.stringify refuses BigInts, and JSON.rawJSON, which is for them, writes
// garbage in Node.js 20 where the line has a character above U+00FF.
function toWire(value) {
    if (Array.isArray(value)) {
        return `[${value.map(toWire)}]`;
    }
    if (typeof value === 'object' && value !== null) {
        return `{${Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}:${toWire(held)}`)}}`;
    }
    return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

const OPERATIONS = new Set(['create', 'join', 'leave', 'publish', 'poll', 'ack', 'retry']);

function call(broker, [operation, ...args]) {
    try {
        if (!OPERATIONS.has(operation)) {
            throw new Error(`there is no operation ${operation}`);
        }
        return { ok: broker[operation](...args) };
    } catch (error) {
        return failure(error);
    }
}

function failure(error) {
    return { error: error.name, message: error.message };
}

function respond({ hello, id, new: [capacity, options] = [], threads }) {
    if (hello) {
        return { hello: HELLO };
    }
    let broker;
    try {
        broker = new EventBroker(capacity, { maxPayload: options?.max_payload });
    } catch (error) {
        return { id, new: failure(error), results: [] };
    }
    return { id, results: threads.map((calls) => calls.map((each) => call(broker, each))) };
}

// Lines end at the newline only: readline would end them at U+2028 as well.
async function* lines(input) {
    let rest = '';
    for await (const chunk of input.setEncoding('utf8')) {
        const parts = (rest + chunk).split('\n');
        rest = parts.pop();
        yield* parts;
    }
}

console.log = console.error; // a stray print must not get between the answers
for await (const line of lines(process.stdin)) {
    process.stdout.write(`${toWire(respond(JSON.parse(line, fromWire)))}\n`);
}
