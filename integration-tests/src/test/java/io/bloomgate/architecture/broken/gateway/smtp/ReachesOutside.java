package io.bloomgate.architecture.broken.gateway.smtp;

import com.google.gson.Gson;
import io.bloomgate.architecture.broken.gateway.session.StartsCli;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/** Breaks: one library, one door; no package cycle; clock, randomness and threads are handed in. */
public final class ReachesOutside {
  private final LongSupplier nanoTime = System::nanoTime;

  /** Every way out at once. */
  public List<Object> reach(Gson gson, StartsCli session) {
    Thread.Builder builder = Thread.ofVirtual();
    return List.of(gson, session, Instant.now(), new SecureRandom(), builder, nanoTime);
  }
}
