// Texts are UTF-8 on both sides. Names of files need not be: they cross as Python has them, where bytes that are no UTF-8 are lone surrogates
// (PEP 383). What the library says is for people and can be printed; there such bytes are shown as the command line shows them, \xff. Half of a
// character stands for no bytes at all, and is a diagnosis.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "cetaev/error.hpp"

namespace pybind11::detail {

template <>
struct type_caster<std::string> {
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));

  bool load(handle source, bool) {
    if (!source || !PyUnicode_Check(source.ptr())) return false;
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &size)) {
      value.assign(text, static_cast<std::size_t>(size));
      return true;
    }
    PyErr_Clear();
    const auto bytes = reinterpret_steal<object>(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
    if (!bytes) {
      PyErr_Clear();
      throw cetaev::Error(cetaev::ErrorCode::bad_model,
                          "a text has half of a character in it, which no file can hold: " + std::string(repr(source)));
    }
    value.assign(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }

  static handle cast(const std::string& text, return_value_policy, handle) {
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  }
};

}  // namespace pybind11::detail

namespace cetaev::python {

// The name of a file, with which it can be opened.
inline pybind11::object file_name(const std::string& name) {
  return pybind11::reinterpret_steal<pybind11::object>(
      PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
}

}  // namespace cetaev::python
