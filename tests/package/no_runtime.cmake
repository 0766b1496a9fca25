# SPDX-License-Identifier: Apache-2.0
# runtime_in(IMAGE result): the functions in IMAGE that belong to a heap, an unwinder, exceptions or iostream. NM lists
# the symbols.
function(runtime_in image result)
  execute_process(COMMAND ${NM} ${image} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES " T main\n")
    message(FATAL_ERROR "${image} has no main, so nothing would be found")
  endif()
  set(heap "malloc|calloc|realloc|free|_malloc_r|_free_r|_?sbrk|_sbrk_r|_Zn[wa][^\n]*|_Zd[la][^\n]*")
  set(exceptions "_Unwind_[^\n]*|__gnu_unwind[^\n]*|__gxx_personality[^\n]*|_ZSt9terminatev"
    "|__cxa_(throw|allocate_exception|begin_catch|guard_acquire)")
  set(streams "_ZNSt8ios_base[^\n]*|_ZSt4c(in|out|err)")
  string(REPLACE ";" "" names "(${heap}|${exceptions}|${streams})")
  string(REGEX MATCHALL " [TtWwVvDdBb] ${names}\n" found "${symbols}")
  list(TRANSFORM found STRIP)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
