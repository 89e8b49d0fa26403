package io.bloomgate.gateway;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that gives way to mail: on Linux its thread takes a lower priority from the operating system
 * before it begins, and threads that it makes inherit it. Java's own thread priorities do nothing
 * there without root. Elsewhere, or where it is not allowed, the work runs as any other.
 *
 * @param work run on the thread that is lowered
 */
record BackgroundWork(Runnable work) implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);

  /** Niceness: 0 is usual, 19 the lowest priority. */
  static final int NICENESS = 10;

  /** {@code which} of setpriority(2); with 0 as {@code who} Linux takes the calling thread. */
  private static final int PRIO_PROCESS = 0;

  @Override
  public void run() {
    if (System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
      lower();
    }
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      // Nobody joins these threads, so nobody else would hear of it.
      LOG.error("{} ended unexpectedly", Thread.currentThread().getName(), e);
    }
  }

  private static void lower() {
    try {
      int result = (int) Native.SET_PRIORITY.invokeExact(PRIO_PROCESS, 0, NICENESS);
      if (result != 0) {
        LOG.info(
            "work on feeds has the priority of mail: the system forbids setpriority(2);"
                + " SystemCallFilter=setpriority in the systemd unit allows it");
      }
    } catch (Throwable e) {
      // A method handle declares everything. The work is worth more than its priority.
      LOG.info("work on feeds has the priority of mail", e);
    }
  }

  /** Linked once, and only where it is used. */
  private static final class Native {
    // The launcher allows native access; without it the runtime warns and goes on.
    @SuppressWarnings("restricted")
    private static final MethodHandle SET_PRIORITY =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("setpriority"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT));

    private Native() {}
  }
}
