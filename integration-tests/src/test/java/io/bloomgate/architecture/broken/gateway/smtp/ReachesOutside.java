package io.bloomgate.architecture.broken.gateway.smtp;

import io.bloomgate.architecture.broken.gateway.session.AsksBack;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import org.xbill.DNS.Name;

/** Breaks: one library, one door; no package cycle; clock, randomness and threads are handed in. */
public final class ReachesOutside {
  private final LongSupplier nanoTime = System::nanoTime;

  /** Every way out at once. */
  public List<Object> reach(Name name, AsksBack session) {
    Thread.Builder builder = Thread.ofVirtual();
    return List.of(name, session, Instant.now(), new SecureRandom(), builder, nanoTime);
  }
}
