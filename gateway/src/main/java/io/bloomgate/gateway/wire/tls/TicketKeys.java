package io.bloomgate.gateway.wire.tls;

import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The keys that seal the tickets of the native engine (RFC 5077, RFC 8446 section 4.6.1). A ticket
 * is all that a client needs to come again without a whole handshake, and all that is kept of it is
 * with the client. Each key seals tickets for twelve hours and opens them for two days more; then
 * it is forgotten.
 *
 * <p>One for all certificates of a process, so a ticket outlives a reload; it ends with the
 * certificate that was shown with it, which the engine looks at. Used by the owner of the
 * certificates, who gives them to each {@link TlsContext}.
 */
public final class TicketKeys {

  /** A key seals tickets for this long. */
  static final Duration PERIOD = Duration.ofHours(12);

  /**
   * Periods for which a key still opens tickets: the engine lets those of TLS 1.3 live two days.
   */
  static final int OLDER_PERIODS = 4;

  private final Function<String, byte[]> secret;
  private final TreeMap<Long, OpenSslSessionTicketKey> kept = new TreeMap<>();

  /**
   * Keys that are the same wherever the secret is.
   *
   * @param secret 32 octets for each purpose
   */
  public TicketKeys(Function<String, byte[]> secret) {
    this.secret = secret;
  }

  /** Keys of this process, which nobody knows after it ends. */
  public static TicketKeys ofThisProcess(SecureRandom random) {
    return new TicketKeys(purpose -> {
      byte[] octets = new byte[32];
      random.nextBytes(octets);
      return octets;
    });
  }

  /** Numbers the period of this time. */
  static long period(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), PERIOD.toSeconds());
  }

  /**
   * The keys for a period. The first one seals; the second one is that of the next period, which
   * another node may use already when its clock is ahead.
   */
  synchronized OpenSslSessionTicketKey[] of(long period) {
    kept.headMap(period - OLDER_PERIODS).clear();
    return LongStream.concat(
            LongStream.of(period, period + 1),
            LongStream.rangeClosed(1, OLDER_PERIODS).map(older -> period - older))
        .mapToObj(each -> kept.computeIfAbsent(each, this::make))
        .toArray(OpenSslSessionTicketKey[]::new);
  }

  private OpenSslSessionTicketKey make(long period) {
    byte[] name = secret.apply("bloomgate tls ticket name 1 " + period);
    byte[] keys = secret.apply("bloomgate tls ticket keys 1 " + period);
    return new OpenSslSessionTicketKey(
        Arrays.copyOf(name, OpenSslSessionTicketKey.NAME_SIZE),
        Arrays.copyOf(keys, OpenSslSessionTicketKey.HMAC_KEY_SIZE),
        Arrays.copyOfRange(keys, OpenSslSessionTicketKey.HMAC_KEY_SIZE, keys.length));
  }
}
