package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the answers of mail servers for single recipients of messages on which they disagreed:
 * the client got one 451 for all, and at its next try no recipient gets the message twice. One per
 * gateway, made by the composition root; used by sessions on their threads, thread-safe.
 *
 * <p>An answer is known by the client's network too: a forged sender changes nothing for others. It
 * counts until the client gets it; from then on the same octets are a new mail. Room for it is
 * promised at RCPT ({@link #promise}). While the memory is full, or the client's network has used
 * its share ({@link AnswerTurns.Shares}), nothing is promised, and no message is accepted whose
 * recipients could get different answers. A restart forgets all answers: a recipient may then get a
 * second copy, which SMTP allows (RFC 5321 section 4.2.5).
 */
public final class AnswerMemory implements AutoCloseable {

  /** Answers at most; about 600 octets of heap each. */
  static final int MAX_ANSWERS = 20_000;

  /** Time that answers are kept: as long as senders try (RFC 5321 section 4.5.4.1). */
  static final Duration KEPT = Duration.ofDays(5);

  /** Lines a minute on what could not be kept. */
  private static final int LOSS_LINES = 1;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerMemory.class);

  private final InstantSource clock;
  private final WarningPace losses;
  private final AnswerTurns.Shares shares;
  private final Map<Key, List<RememberedAnswer>> byPlace = new HashMap<>();

  /** Contents whose answers did not help at a further try: other recipients were put off again. */
  private final Set<Key> tried = new HashSet<>();

  private final AnswerTurns turns;

  /** Answers that are promised to open transactions; they count in {@link #shares}. */
  private int promised;

  /** No answer expires before this; seconds since 1970. */
  private long firstExpires = Long.MAX_VALUE;

  /** Remembers nothing yet. */
  public AnswerMemory(InstantSource clock) {
    this(clock, MAX_ANSWERS);
  }

  /** Makes a memory with another bound. */
  AnswerMemory(InstantSource clock, int maxAnswers) {
    this.clock = clock;
    this.losses = new WarningPace(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()), LOSS_LINES);
    this.shares = new AnswerTurns.Shares(maxAnswers);
    this.turns = new AnswerTurns(maxAnswers, place -> !known(place).isEmpty());
  }

  /** Remembers nothing, so no message is accepted that would need it. */
  public static AnswerMemory none() {
    return new AnswerMemory(InstantSource.fixed(Instant.EPOCH), 0);
  }

  /**
   * The sender of one transaction, as a client network ({@link ClientNetwork#wide}) names it, and
   * the room for answers that is promised to it. Any client may write any sender into MAIL FROM, so
   * one network changes nothing for the mail of another.
   */
  public static final class Origin {

    private final IpAddress network;
    private final String from;

    /**
     * Answers that are promised and not used. Changed under the monitor of the memory, by the
     * session's thread only.
     */
    private int promised;

    /** The origin of a client's mail; nothing is promised yet. */
    public Origin(IpAddress client, String from) {
      this.network = ClientNetwork.wide(client);
      this.from = from;
    }
  }

  /**
   * One sender's mail for one recipient, or with one content.
   *
   * @param network of the client
   * @param from the reverse-path
   * @param of the forward-path as it was written, or the SHA-256 of the content in hexadecimal
   */
  public record Key(IpAddress network, String from, String of) {}

  private static Key place(Origin origin, String to) {
    return new Key(origin.network, origin.from, to);
  }

  /**
   * Raises the room that is promised to a transaction, from the RCPT that needs it to its end, to
   * this number of answers: open transactions together are promised no more than there is.
   *
   * @return false when there is no such room; what was promised before still is
   */
  public synchronized boolean promise(Origin origin, int answers) {
    int more = Math.max(0, answers - origin.promised);
    if (!hasRoom(origin.network, more)) {
      return false;
    }
    change(origin, more);
    return true;
  }

  /** Takes back what was promised and not used; most transactions were promised nothing. */
  public void release(Origin origin) {
    if (origin.promised > 0) {
      giveBack(origin);
    }
  }

  private synchronized void giveBack(Origin origin) {
    change(origin, -origin.promised);
  }

  private void change(Origin origin, int more) {
    origin.promised += more;
    promised += more;
    shares.add(origin.network, more);
  }

  /** True while no answer is remembered, so that nobody has one and nobody waits for one. */
  public synchronized boolean isEmpty() {
    return byPlace.isEmpty();
  }

  /** Returns what is known of this sender's mail for this recipient; {@code null} for nothing. */
  public synchronized @Nullable AnswerHint hint(Origin origin, String to) {
    List<RememberedAnswer> known = known(place(origin, to));
    Set<Key> contents = new HashSet<>();
    EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (RememberedAnswer answer : known) {
      contents.add(answer.content());
      Kind accepted = tried.contains(answer.content()) ? Kind.TRIED : Kind.TAKEN;
      kinds.add(answer.reply().permanentFailure() ? Kind.REFUSED : accepted);
    }
    return known.isEmpty() ? null : new AnswerHint(Kind.of(kinds), contents);
  }

  /** The key of this content of this sender. */
  public Key content(Origin origin, byte[] sha256) {
    return new Key(origin.network, origin.from, HexFormat.of().formatHex(sha256));
  }

  /** Returns the answer for this recipient of this content. */
  public synchronized Optional<Reply> answer(Origin origin, String to, Key content) {
    return known(place(origin, to)).stream()
        .filter(answer -> answer.content().equals(content))
        .map(RememberedAnswer::reply)
        .findFirst();
  }

  /** Returns why no answers can be kept, for {@code status}; empty when they can. */
  public synchronized List<String> alarms() {
    // What is only promised is free again in a moment.
    return shares.max() == 0 || size() < shares.max()
        ? List.of()
        : List.of(
            "answers for single recipients cannot be kept (there are "
                + size()
                + " of them): a message for several mail servers, or for several recipients over"
                + " LMTP, is taken for one at a time");
  }

  /** Returns the number of remembered answers. */
  public synchronized int size() {
    return shares.count() - promised;
  }

  /**
   * Remembers what was answered for some recipients of this content. When it returns false, the log
   * says so.
   *
   * @param origin of the transaction; answers beyond its room are kept when there happens to be
   *     more
   * @param answers 2xx and 5xx; what was put off is asked again
   */
  public synchronized boolean remember(Origin origin, Key content, Map<String, Reply> answers) {
    long expires = now() + KEPT.toSeconds();
    int lost = 0;
    for (Map.Entry<String, Reply> each : answers.entrySet()) {
      if (each.getValue().transientFailure()) {
        continue;
      }
      RememberedAnswer answer =
          RememberedAnswer.of(place(origin, each.getKey()), content, expires, each.getValue());
      remove(answer);
      if (origin.promised > 0) {
        change(origin, -1);
      }
      if (hasRoom(origin.network, 1)) {
        put(answer);
      } else {
        lost++;
      }
    }
    int missing = lost;
    if (missing > 0) {
      losses.say(more ->
          LOG.warn(
              "{} of {} answers to mail of clients in the network of {} were not kept; its"
                  + " recipients may get a second copy{}",
              missing,
              answers.size(),
              origin.network,
              more));
    }
    return missing == 0;
  }

  /** The client got what is remembered for these recipients of this content; it is forgotten. */
  public synchronized void heard(Origin origin, Key content, List<String> recipients) {
    for (String to : recipients) {
      known(place(origin, to)).stream()
          .filter(answer -> answer.content().equals(content))
          .forEach(this::remove);
    }
  }

  /** Answers for this content did not help at this try: other recipients were put off again. */
  public synchronized void triedInVain(Key content) {
    if (tried.size() >= shares.max()) {
      tried.retainAll(contents());
    }
    if (tried.size() < shares.max()) {
      tried.add(content);
    }
  }

  /**
   * A mail server put off these recipients after the final dot, and because of them the client did
   * not get the answer of another. At the next try they wait once, if that answer is still kept.
   */
  public synchronized void putOff(Origin origin, String answered, List<String> others) {
    AnswerTurns.Turn turn = new AnswerTurns.Turn(origin.network, place(origin, answered));
    others.forEach(to -> turns.leave(place(origin, to), turn));
  }

  /** True, once, when this recipient has to wait for one with an answer. */
  public synchronized boolean takeTurn(Origin origin, String to) {
    return !byPlace.isEmpty() && turns.take(place(origin, to));
  }

  /** Says what is forgotten with the end of the gateway. */
  @Override
  public synchronized void close() {
    forgetOld();
    if (size() > 0) {
      LOG.info(
          "{} answers of mail servers for single recipients are forgotten; where a sender tries"
              + " again, these recipients may get a second copy",
          size());
    }
  }

  /** The answer is not there yet, and there is room. */
  private void put(RememberedAnswer answer) {
    byPlace.computeIfAbsent(answer.place(), place -> new ArrayList<>(1)).add(answer);
    shares.add(answer.place().network(), 1);
    firstExpires = Math.min(firstExpires, answer.expiresSeconds());
  }

  /** Removes the answer for the same place and content. */
  private void remove(RememberedAnswer answer) {
    List<RememberedAnswer> known = byPlace.get(answer.place());
    if (known != null && known.removeIf(old -> old.content().equals(answer.content()))) {
      shares.add(answer.place().network(), -1);
      if (known.isEmpty()) {
        byPlace.remove(answer.place());
      }
    }
  }

  /** Answers that have not expired. */
  private List<RememberedAnswer> known(Key place) {
    long now = now();
    return byPlace.getOrDefault(place, List.of()).stream()
        .filter(answer -> answer.expiresSeconds() > now)
        .toList();
  }

  private boolean hasRoom(IpAddress network, int more) {
    if (!shares.hasRoom(network, more) && firstExpires <= now()) {
      forgetOld();
    }
    return shares.hasRoom(network, more);
  }

  private void forgetOld() {
    long now = now();
    List<RememberedAnswer> all = all();
    all.stream().filter(answer -> answer.expiresSeconds() <= now).forEach(this::remove);
    firstExpires =
        all().stream().mapToLong(RememberedAnswer::expiresSeconds).min().orElse(Long.MAX_VALUE);
    tried.retainAll(contents());
    turns.forgetOld();
  }

  private List<RememberedAnswer> all() {
    return byPlace.values().stream().flatMap(List::stream).toList();
  }

  private Set<Key> contents() {
    return all().stream().map(RememberedAnswer::content).collect(Collectors.toSet());
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
