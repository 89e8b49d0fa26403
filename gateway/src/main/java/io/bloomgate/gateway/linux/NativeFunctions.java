package io.bloomgate.gateway.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Finds functions of the C library, for what Java cannot do itself. Used by start, housekeeping and
 * work on feeds, on any thread.
 */
public final class NativeFunctions {

  private NativeFunctions() {}

  /**
   * A function with int arguments and an int result.
   *
   * @throws UnsupportedOperationException on systems that have no such function
   */
  public static MethodHandle ofInts(String name, int arguments) {
    ValueLayout.OfInt[] layouts = new ValueLayout.OfInt[arguments];
    Arrays.fill(layouts, ValueLayout.JAVA_INT);
    return link(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
  }

  /** A function that also tells its error; {@code errno} is then its first argument. */
  static MethodHandle withErrno(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name, FunctionDescriptor.of(result, arguments), Linker.Option.captureCallState("errno"));
  }

  @SuppressWarnings("restricted") // the launcher allows native access; the signatures are libc's
  private static MethodHandle link(
      String name, FunctionDescriptor signature, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(function -> linker.downcallHandle(function, signature, options))
        .orElseThrow(() -> new UnsupportedOperationException("no function " + name));
  }
}
