// A C++ program that embeds Python. Both load one library, so both reach the same brokers, by
// their handles: a record that one publishes is polled by the other, whoever made the broker.
#include <Python.h> // first: it sets what the C library's headers look at

#include <eventbroker/event.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using eventbroker::BrokerRecord;
using eventbroker::EventBroker;

class Interpreter {
  public:
    Interpreter() { Py_Initialize(); }
    Interpreter(const Interpreter &) = delete;
    Interpreter &operator=(const Interpreter &) = delete;
    ~Interpreter() { Py_FinalizeEx(); }
};

struct Release {
    void operator()(PyObject *object) const { Py_DECREF(object); }
};
using Object = std::unique_ptr<PyObject, Release>;

Object owned(PyObject *object) {
    if (object == nullptr) {
        PyErr_Print();
        throw std::runtime_error("Python raised an exception");
    }
    return Object(object);
}

void expect(const std::vector<BrokerRecord> &got, const BrokerRecord &want) {
    if (got.size() != 1 || got.front() != want) {
        throw std::runtime_error("polled " + std::to_string(got.size()) + " records, not the one expected");
    }
    std::cout << got.front() << '\n';
}

void publish(EventBroker &broker, const char *topic, const char *payload) {
    if (broker.publish(topic, 0, payload) < 0) {
        throw std::runtime_error("the partition is full");
    }
}

// A broker of this program, which Python borrows.
void broker_of_cpp(PyObject *guest, EventBroker &broker) {
    broker.create("orders", 1);
    broker.create("shipped", 1);
    broker.join("shipped", "desk", "cpp");
    publish(broker, "orders", "a book");
    owned(PyObject_CallMethod(guest, "answer", "K", static_cast<unsigned long long>(broker.handle())));
    expect(broker.poll("shipped", "desk", "cpp", 64), {"shipped", 0, 0, "a book, shipped from Python"});
}

// A broker of Python's, which this program borrows.
void broker_of_python(PyObject *guest) {
    const Object handle = owned(PyObject_CallMethod(guest, "greet", nullptr));
    EventBroker broker = EventBroker::from_handle(PyLong_AsUnsignedLongLong(handle.get()));
    expect(broker.poll("greetings", "hosts", "cpp", 64), {"greetings", 0, 0, "hello from Python"});
    broker.ack("greetings", "hosts", "cpp", 0, 0);
    publish(broker, "greetings", "hello from C++");
    const Object replies = owned(PyObject_CallMethod(guest, "replies", nullptr));
    if (PyUnicode_CompareWithASCIIString(replies.get(), "hello from C++") != 0) {
        throw std::runtime_error("Python polled something else than was published");
    }
}

// What Python borrowed is open when Python has ended.
void after_python(EventBroker &broker) {
    if (!broker.ack("shipped", "desk", "cpp", 0, 0) || broker.publish("orders", 0, "a pen") != 1) {
        throw std::runtime_error("the broker did not outlive the interpreter");
    }
}

} // namespace

int main() {
    try {
        EventBroker broker(8);
        {
            const Interpreter python;
            const Object guest = owned(PyImport_ImportModule("guest"));
            broker_of_cpp(guest.get(), broker);
            broker_of_python(guest.get());
        }
        after_python(broker);
        return EXIT_SUCCESS;
    } catch (const std::exception &error) {
        std::cerr << "embed: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
