# Faults on purpose, which the sanitizers of a build have to report. Included by the
# C tests and the C++ ones: each build has to prove that its own sanitizers work.
option(EVENTBROKER_LIBRARY_ASAN "the library was built with -asan" OFF)

add_executable(deliberate "${CMAKE_CURRENT_LIST_DIR}/deliberate.c")
target_include_directories(deliberate PRIVATE "${CMAKE_CURRENT_LIST_DIR}/..")
target_link_libraries(deliberate PRIVATE "${EVENTBROKER_LIBRARY_DIR}/libeventbroker.so.1" Threads::Threads)

# Passes when the report says so, whatever the program exits with.
function(reports fault report)
  add_test(NAME deliberate_${fault} COMMAND deliberate ${fault})
  set_tests_properties(deliberate_${fault} PROPERTIES PASS_REGULAR_EXPRESSION "${report}" TIMEOUT 600)
endfunction()

if(EVENTBROKER_SANITIZE MATCHES "address")
  reports(leak "detected memory leaks.*in payload ")
endif()
if(EVENTBROKER_SANITIZE MATCHES "undefined")
  reports(undefined "signed integer overflow")
endif()
if(EVENTBROKER_SANITIZE MATCHES "thread")
  reports(race "data race.*call_and_write")
endif()
if(EVENTBROKER_LIBRARY_ASAN)
  reports(over-read "READ of size 101.*0 bytes to the right of 100-byte region.*in payload ")
  reports(over-read-name "heap-buffer-overflow.*READ of size 1 .*in payload ")
  reports(use-after-free "heap-use-after-free.*in use_after_free ")
endif()
