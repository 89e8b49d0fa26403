package io.bloomgate.gateway;

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
 * What the gateway takes from outside itself: made once by {@link Gateway}, handed to everything
 * that needs it. Immutable.
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
    ServiceManager service) {}
