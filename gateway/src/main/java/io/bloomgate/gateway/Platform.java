package io.bloomgate.gateway;

import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.gateway.linux.NativeFunctions;
import io.bloomgate.gateway.linux.ServiceManager;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clocks, randomness, threads and environment of the gateway. The only place that makes them; made
 * once by {@link Gateway}. Immutable.
 *
 * @param nanoTime monotonic time in nanoseconds
 * @param random a cryptographic source, safe for every thread
 * @param threads a factory of platform threads of that name, for work that lasts
 * @param virtualThreads for sessions, control connections and other short work
 * @param settingsFile read at start and at each reload
 * @param environment of the process
 * @param zone for time stamps of the log
 */
record Platform(
    InstantSource clock,
    LongSupplier nanoTime,
    SecureRandom random,
    Function<String, ThreadFactory> threads,
    ThreadFactory virtualThreads,
    Path settingsFile,
    Map<String, String> environment,
    ZoneId zone,
    long pid,
    ServiceManager service) {

  /**
   * Makes those of this process.
   *
   * @param environment for overrides of settings, and for systemd
   */
  static Platform ofProcess(Path settingsFile, Map<String, String> environment) {
    long pid = ProcessHandle.current().pid();
    return new Platform(
        InstantSource.system(),
        System::nanoTime,
        new SecureRandom(),
        Platform::threads,
        Thread.ofVirtual().name("session-", 0).factory(),
        settingsFile,
        Map.copyOf(environment),
        ZoneId.systemDefault(),
        pid,
        new ServiceManager(environment, System::nanoTime, pid));
  }

  /** Runs short work beside the caller. */
  void start(Runnable work) {
    virtualThreads.newThread(work).start();
  }

  /** Incident ids, which nobody can guess: who knows one may ask why that mail was refused. */
  Supplier<String> ids() {
    return IncidentId.of(random);
  }

  /** Threads with a name for stack dumps; daemons, because the end of the gateway ends them. */
  private static ThreadFactory threads(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  /**
   * Work that gives way to mail: on Linux its thread gets a lower priority from the operating
   * system before the work starts, and threads that it makes inherit that priority. Java's own
   * thread priorities do nothing on Linux without root. On other systems, and where lowering is
   * forbidden, the work runs with the usual priority.
   *
   * @param work run on the thread that is lowered
   */
  record BackgroundWork(Runnable work) implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);

    /** Niceness: 0 is usual, 19 the lowest priority. */
    static final int NICENESS = 10;

    /** {@code which} of setpriority(2); with 0 as {@code who} Linux takes the calling thread. */
    private static final int PRIO_PROCESS = 0;

    /** Makes threads of this factory whose work gives way to mail. */
    static ThreadFactory threads(ThreadFactory factory) {
      return task -> factory.newThread(new BackgroundWork(task));
    }

    @Override
    public void run() {
      if (System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
        lower();
      }
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        // Nobody joins these threads: without this line the error would be lost.
        LOG.error("{} ended unexpectedly", Thread.currentThread().getName(), e);
      }
    }

    private static void lower() {
      try {
        int result = (int) Native.SET_PRIORITY.invokeExact(PRIO_PROCESS, 0, NICENESS);
        if (result != 0) {
          // The shipped unit forbids it on purpose, so this is nothing to tell an administrator.
          LOG.debug(
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
      private static final MethodHandle SET_PRIORITY = NativeFunctions.ofInts("setpriority", 3);

      private Native() {}
    }
  }
}
