#include "watch.hpp"

namespace cetaev::python {

void wait_where_the_interpreter_ends() {
  while (_Py_IsFinalizing() != 0) std::this_thread::sleep_for(between_looks);
}

Watch::~Watch() {
  // what was not thrown again
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(trace_);
}

bool Watch::look(double fraction, double where, bool tell) {
  wait_where_the_interpreter_ends();
  const py::gil_scoped_acquire lock;
  if (stopped_) return false;
  bool stop = PyErr_CheckSignals() != 0;
  try {
    if (!stop && tell && !progress_.is_none()) progress_(fraction, where);
  } catch (py::error_already_set& error) {
    error.restore();
    stop = true;
  }
  if (stop) PyErr_Fetch(&type_, &value_, &trace_);
  stopped_ = stop;
  return !stop;
}

bool Watch::due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < between_looks) return false;
  last_ = now;
  return true;
}

bool Watch::keep_going(double fraction, double where) { return !due() || look(fraction, where, true); }

bool Watch::enough() {
  // signals are for the thread that called
  if (std::this_thread::get_id() != caller_) return stopped_;
  return due() && !look(0, 0, false);
}

bool Watch::told(double fraction, double where) {
  fraction_ = fraction;
  where_ = where;
  return !stopped_;
}

void Watch::look() { (void)look(fraction_, where_, true); }

void Watch::rethrow() {
  if (!stopped_) return;
  PyErr_Restore(type_, value_, trace_);
  type_ = value_ = trace_ = nullptr;
  throw py::error_already_set();
}

}  // namespace cetaev::python
