package io.bloomgate.gateway.relay;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the answers of mail servers for single recipients of messages on which they disagreed:
 * the client got one 451 for all, and at its next try no recipient gets the message twice. One per
 * gateway, made by the composition root; used by sessions on their threads, thread-safe.
 *
 * <p>An answer is known by the client's network too: a forged sender changes nothing for others. It
 * counts until the client gets it; from then on the same octets are a new mail. While the memory is
 * full, or the client's network has used its share, {@link #hasRoom} says so, and no message is
 * accepted whose recipients could get different answers. Those of open transactions are kept above
 * that bound, up to twice as many. A restart forgets all answers: a recipient may then get a second
 * copy, which SMTP allows (RFC 5321 section 4.2.5).
 */
public final class AnswerMemory implements AutoCloseable {

  /** Answers from which on no further message needs any; about 600 octets of heap each. */
  static final int MAX_ANSWERS = 20_000;

  /** Time that answers are kept: as long as senders try (RFC 5321 section 4.5.4.1). */
  static final Duration KEPT = Duration.ofDays(5);

  /** One network may have this part of all answers. */
  private static final int NETWORK_PART = 8;

  /** Characters of a reply that are kept; enough to say which mailbox and why. */
  private static final int MAX_TEXT = 300;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerMemory.class);

  private final int max;

  /** The answers by recipient, and there by content. */
  private final Cache<Place, Map<String, Reply>> answers;

  /** Recipients that wait once for another one with an answer. */
  private final Cache<Place, Place> turns;

  /** Remembers nothing yet. */
  public AnswerMemory(InstantSource clock) {
    this(clock, MAX_ANSWERS);
  }

  /** Makes a memory with another bound. */
  AnswerMemory(InstantSource clock, int max) {
    this.max = max;
    Ticker ticker =
        new Ticker() {
          @Override
          public long read() {
            return TimeUnit.MILLISECONDS.toNanos(clock.millis());
          }
        };
    this.turns = kept(ticker).maximumSize(max).build();
    this.answers =
        kept(ticker)
            .maximumWeight(2L * max)
            .weigher((Place place, Map<String, Reply> known) -> known.size())
            .build();
  }

  /** A cache is divided by its level of concurrency, and so is its bound. */
  private static CacheBuilder<Object, Object> kept(Ticker ticker) {
    return CacheBuilder.newBuilder().expireAfterWrite(KEPT).ticker(ticker).concurrencyLevel(1);
  }

  /** Remembers nothing, so no message is accepted that would need it. */
  public static AnswerMemory none() {
    return new AnswerMemory(InstantSource.fixed(Instant.EPOCH), 0);
  }

  /**
   * The sender of one transaction, as a client network ({@link ClientNetwork#wide}) names it. Any
   * client may write any sender into MAIL FROM, so one network changes nothing for the mail of
   * another.
   */
  public record Origin(IpAddress network, String from) {

    /** The origin of a client's mail. */
    public Origin(IpAddress client, ReversePath from) {
      this(ClientNetwork.wide(client), from.text());
    }
  }

  /** One sender's mail for one recipient. */
  private record Place(Origin origin, String to) {
    Place(Origin origin, ForwardPath to) {
      this(origin, to.text());
    }
  }

  /** True when this number of further answers of this origin can be kept. */
  public synchronized boolean hasRoom(Origin origin, int more) {
    answers.cleanUp();
    int share = Math.min(max, Math.max(1, max / NETWORK_PART));
    int own = 0;
    for (Map.Entry<Place, Map<String, Reply>> each : answers.asMap().entrySet()) {
      own += each.getKey().origin.network.equals(origin.network) ? each.getValue().size() : 0;
    }
    return more <= max - size() && more <= share - own;
  }

  /** Returns what is known of this sender's mail for this recipient. */
  public AnswerHint hint(Origin origin, ForwardPath to) {
    Map<String, Reply> known = known(new Place(origin, to));
    if (known.isEmpty()) {
      return AnswerHint.NONE;
    }
    long refused = known.values().stream().filter(Reply::permanentFailure).count();
    Kind kind = refused == 0 ? Kind.TAKEN : refused == known.size() ? Kind.REFUSED : Kind.MIXED;
    return new AnswerHint(kind, known.keySet());
  }

  /**
   * Returns the answer for this recipient of a content.
   *
   * @param content its SHA-256 in hexadecimal
   */
  public Optional<Reply> answer(Origin origin, ForwardPath to, String content) {
    return Optional.ofNullable(known(new Place(origin, to)).get(content));
  }

  private Map<String, Reply> known(Place place) {
    Map<String, Reply> known = answers.getIfPresent(place);
    return known == null ? Map.of() : known;
  }

  /** Returns why no answers can be kept, for {@code status}; empty when they can. */
  public List<String> alarms() {
    int kept = size();
    return max == 0 || kept < max
        ? List.of()
        : List.of(
            "answers for single recipients cannot be kept (there are "
                + kept
                + " of them): a message for several mail servers, or for several recipients over"
                + " LMTP, is taken for one at a time");
  }

  /** Returns the number of remembered answers. */
  public int size() {
    answers.cleanUp();
    return answers.asMap().values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Remembers what was answered for some recipients of this content.
   *
   * @param replies 2xx and 5xx; what was put off is asked again
   */
  public synchronized void remember(
      Origin origin, String content, Map<ForwardPath, Reply> replies) {
    replies.forEach((to, reply) -> {
      if (!reply.transientFailure()) {
        Place place = new Place(origin, to);
        Map<String, Reply> known = new HashMap<>(known(place));
        known.put(content, shortened(reply));
        answers.put(place, Map.copyOf(known));
      }
    });
  }

  private static Reply shortened(Reply reply) {
    String text = reply.lines().getFirst();
    return Reply.of(
        reply.code(), reply.enhanced(), text.substring(0, Math.min(text.length(), MAX_TEXT)));
  }

  /** The client got what is remembered for these recipients of this content; it is forgotten. */
  public synchronized void heard(Origin origin, String content, List<ForwardPath> recipients) {
    for (ForwardPath to : recipients) {
      Place place = new Place(origin, to);
      Map<String, Reply> left = new HashMap<>(known(place));
      left.remove(content);
      if (left.isEmpty()) {
        answers.invalidate(place);
      } else {
        answers.put(place, Map.copyOf(left));
      }
    }
  }

  /**
   * A mail server put off these recipients after the final dot, while one with an answer had to
   * wait for a separate transaction. At the next try they wait once, if that answer is still kept:
   * otherwise they would always go first.
   */
  public void putOff(Origin origin, ForwardPath answered, List<ForwardPath> others) {
    others.forEach(to -> turns.put(new Place(origin, to), new Place(origin, answered)));
  }

  /** True, once, when this recipient has to wait for one with an answer. */
  public boolean takeTurn(Origin origin, ForwardPath to) {
    Place answered = turns.asMap().remove(new Place(origin, to));
    return answered != null && !known(answered).isEmpty();
  }

  /** Says what is forgotten with the end of the gateway. */
  @Override
  public void close() {
    int kept = size();
    if (kept > 0) {
      LOG.info(
          "{} answers of mail servers for single recipients are forgotten; where a sender tries"
              + " again, these recipients may get a second copy",
          kept);
    }
  }
}
