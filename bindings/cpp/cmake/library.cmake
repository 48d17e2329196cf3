# Builds libeventbroker into EVENTBROKER_LIBRARY_DIR unless it is there already.
if(NOT EXISTS "${EVENTBROKER_LIBRARY_DIR}/libeventbroker.so.1")
  find_program(EVENTBROKER_GO go)
  if(NOT EVENTBROKER_GO)
    message(FATAL_ERROR "There is no libeventbroker.so.1 in ${EVENTBROKER_LIBRARY_DIR}, and no Go to build it with. "
                        "Install Go, or set EVENTBROKER_LIBRARY_DIR to the folder of a built library.")
  endif()
  message(STATUS "Building libeventbroker into ${EVENTBROKER_LIBRARY_DIR}")
  execute_process(COMMAND "${repository}/cabi/build.sh" "${EVENTBROKER_LIBRARY_DIR}" COMMAND_ERROR_IS_FATAL ANY)
endif()
