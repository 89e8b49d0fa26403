package io.bloomgate.gateway.log;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection, which {@code log.connections} writes as a line. Made by the session on
 * its thread; immutable. It is no {@link DecisionRecord}: nothing was decided, and nothing counts
 * or keeps it.
 *
 * @param id in all records of the connection
 * @param helo the newest one; empty when none
 * @param lost the client went away in the middle
 * @param last the reply that ended the conversation; {@code null} for none
 * @param transactions that began
 */
public record ConnectionEnd(
    Instant time,
    String id,
    IpAddress client,
    String helo,
    boolean lost,
    @Nullable Reply last,
    int transactions,
    Duration took)
    implements LogEvent {

  private static final int OBJECT_OCTETS = 200;

  /** The word for how it ended. */
  public String how() {
    return lost ? "lost" : isQuit() ? "quit" : "cut";
  }

  /** True when the client said QUIT. */
  boolean isQuit() {
    return last != null && last.equals(Replies.BYE);
  }

  @Override
  public long octets() {
    return (long) OBJECT_OCTETS + helo.length();
  }
}
