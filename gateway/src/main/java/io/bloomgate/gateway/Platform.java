package io.bloomgate.gateway;

import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.gateway.linux.ServiceManager;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.LongSupplier;

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

  /** An incident id, random. */
  String newId() {
    return IncidentId.random(random);
  }

  /** Threads with a name for stack dumps; daemons, because the end of the gateway ends them. */
  private static ThreadFactory threads(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }
}
