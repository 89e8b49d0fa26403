package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
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
 * What mail servers answered for single recipients of messages on which they disagreed: the client
 * got one 451 for all, and at its next try no recipient gets the message twice. One per gateway,
 * made by the composition root; used by sessions on their threads, thread-safe.
 *
 * <p>Addresses and contents are stored as keyed hashes ({@link AnswerKeys}), keyed by the client's
 * network too: a forged sender changes nothing for others. An answer counts until the client gets
 * it; from then on the same octets are a new mail. Answers are in {@link AnswerFile} before the 451
 * is sent, in room that was promised at RCPT ({@link AnswerRoom}). While the file cannot be
 * written, or is full, or the client's network has used its share ({@link AnswerTurns.Shares}),
 * nothing is promised, and no message is accepted whose recipients could get different answers.
 */
public final class AnswerMemory implements AutoCloseable {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "answers";

  /** Answers at most; about 600 octets of heap each. */
  static final int MAX_ANSWERS = 20_000;

  /** As long as senders try (RFC 5321 section 4.5.4.1). */
  static final Duration KEPT = Duration.ofDays(5);

  /** Lines a minute on what could not be kept. */
  private static final int LOSS_LINES = 1;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerMemory.class);

  /** {@code null} where nothing is remembered. Its monitor is taken within that of this. */
  private final @Nullable AnswerFile file;

  private final InstantSource clock;
  private final AnswerKeys keys;
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

  private AnswerMemory(
      @Nullable AnswerFile file, InstantSource clock, AnswerKeys keys, int maxAnswers) {
    this.file = file;
    this.clock = clock;
    this.keys = keys;
    this.losses = new WarningPace(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()), LOSS_LINES);
    this.shares = new AnswerTurns.Shares(maxAnswers);
    this.turns = new AnswerTurns(maxAnswers, place -> !known(place).isEmpty());
  }

  /** Remembers nothing, so no message is accepted that would need it. */
  public static AnswerMemory none() {
    AnswerKeys keys = new AnswerKeys(new byte[AnswerKeys.SECRET_OCTETS]);
    return new AnswerMemory(null, InstantSource.fixed(Instant.EPOCH), keys, 0);
  }

  /** Reads the file, or begins one. A file that cannot be read or written only causes an alarm. */
  public static AnswerMemory open(Path path, InstantSource clock, SecureRandom random) {
    return open(path, clock, random, MAX_ANSWERS);
  }

  /** With another bound. */
  static AnswerMemory open(Path path, InstantSource clock, SecureRandom random, int maxAnswers) {
    ByteBuffer in = AnswerFile.read(path);
    byte[] secret = new byte[AnswerKeys.SECRET_OCTETS];
    boolean sound = in.remaining() >= secret.length;
    if (sound) {
      in.get(secret);
    } else {
      random.nextBytes(secret);
    }
    AnswerMemory memory =
        new AnswerMemory(new AnswerFile(path, clock), clock, new AnswerKeys(secret), maxAnswers);
    if (sound) {
      memory.load(in);
    }
    memory.rewrite();
    return memory;
  }

  private void load(ByteBuffer in) {
    long now = now();
    Optional<RememberedAnswer> next = RememberedAnswer.read(in);
    while (next.isPresent()) {
      RememberedAnswer answer = next.get();
      remove(answer);
      boolean counts = !answer.heard() && answer.expiresSeconds() > now;
      if (counts && hasRoom(answer.network(), 1)) {
        put(answer);
      }
      next = RememberedAnswer.read(in);
    }
  }

  /**
   * An envelope sender as one client network ({@link ClientNetwork#wide}) names it. Any client may
   * write any sender into MAIL FROM, so one network changes nothing for the mail of another.
   */
  public record Origin(IpAddress network, ReversePath from) {

    /** The origin of a client's mail. */
    public static Origin of(IpAddress client, ReversePath from) {
      return new Origin(ClientNetwork.wide(client), from);
    }
  }

  /** 128 bits of a keyed hash. */
  public record Key(long high, long low) {}

  /** Room for the answers to one message of this origin; nothing is promised yet. */
  public AnswerRoom room(Origin origin) {
    return new AnswerRoom(this, origin);
  }

  /** As {@link AnswerRoom#reach}. */
  synchronized boolean promise(AnswerRoom room, int answers) {
    if (file == null) {
      return false;
    }
    if (file.wantsAnotherTry()) {
      rewrite();
    }
    Key network = keys.network(room.origin().network());
    int more = Math.max(0, answers - room.promised());
    if (!file.problem().isEmpty() || !hasRoom(network, more)) {
      return false;
    }
    change(room, network, more);
    return true;
  }

  /** Takes back this number of promised answers. */
  synchronized void release(AnswerRoom room, int answers) {
    change(room, keys.network(room.origin().network()), -answers);
  }

  private void change(AnswerRoom room, Key network, int more) {
    room.add(more);
    promised += more;
    shares.add(network, more);
  }

  /** What is known of this sender's mail for this recipient. */
  public synchronized AnswerHint hint(Origin origin, ForwardPath to) {
    if (size() == 0) {
      return AnswerHint.NONE;
    }
    List<RememberedAnswer> known = known(keys.place(origin, to));
    Set<Key> contents = new HashSet<>();
    EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (RememberedAnswer answer : known) {
      contents.add(answer.content());
      Kind accepted = tried.contains(answer.content()) ? Kind.TRIED : Kind.TAKEN;
      kinds.add(answer.reply().permanentFailure() ? Kind.REFUSED : accepted);
    }
    return known.isEmpty() ? AnswerHint.NONE : new AnswerHint(Kind.of(kinds), contents);
  }

  /** The key of this content of this sender. */
  public Key content(Origin origin, byte[] sha256) {
    return keys.content(origin, sha256);
  }

  /** What was answered for this recipient of this content. */
  public synchronized Optional<Reply> answer(Origin origin, ForwardPath to, Key content) {
    return known(keys.place(origin, to)).stream()
        .filter(answer -> answer.content().equals(content))
        .map(RememberedAnswer::reply)
        .findFirst();
  }

  /** Why no answers can be kept, for {@code status}; empty when they can. */
  public synchronized List<String> alarms() {
    if (file == null) {
      return List.of();
    }
    // What is only promised is free again in a moment.
    String full = size() >= shares.max() ? "there are " + size() + " of them" : "";
    String why = file.problem().isEmpty() ? full : file.problem();
    return why.isEmpty()
        ? List.of()
        : List.of(
            "answers for single recipients cannot be kept ("
                + why
                + "): a message for several mail servers, or for several recipients over LMTP, is"
                + " taken for one at a time");
  }

  /** How many answers are remembered. */
  public synchronized int size() {
    return shares.count() - promised;
  }

  /**
   * Remembers what was answered for some recipients of this content; when it returns true, after a
   * crash too. When it returns false, the log says so.
   *
   * @param room of the transaction; answers beyond it are kept when there happens to be more
   * @param answers 2xx and 5xx; what was put off is asked again
   */
  public boolean remember(AnswerRoom room, Key content, Map<ForwardPath, Reply> answers) {
    Origin origin = room.origin();
    Key network = keys.network(origin.network());
    long expires = now() + KEPT.toSeconds();
    List<RememberedAnswer> fresh = new ArrayList<>();
    answers.forEach((to, reply) -> {
      if (!reply.transientFailure()) {
        fresh.add(RememberedAnswer.of(network, keys.place(origin, to), content, expires, reply));
      }
    });
    if (fresh.isEmpty()) {
      return true;
    }
    List<RememberedAnswer> kept = new ArrayList<>(fresh.size());
    long upTo;
    synchronized (this) {
      for (RememberedAnswer answer : fresh) {
        remove(answer);
        if (room.promised() > 0) {
          change(room, network, -1);
        }
        if (hasRoom(network, 1)) {
          put(answer);
          kept.add(answer);
        }
      }
      upTo = append(kept);
    }
    boolean durable = upTo > 0 && file != null && file.sync(upTo);
    boolean all = durable && kept.size() == fresh.size();
    if (!all) {
      int lost = durable ? fresh.size() - kept.size() : fresh.size();
      losses.say(more ->
          LOG.warn(
              "{} of {} answers to mail of clients in the network of {} were not kept; its"
                  + " recipients may get a second copy{}",
              lost,
              fresh.size(),
              origin.network(),
              more));
    }
    return all;
  }

  /** The client got what is remembered for these recipients of this content; it is forgotten. */
  public synchronized void heard(Origin origin, Key content, List<ForwardPath> recipients) {
    List<RememberedAnswer> changed = new ArrayList<>();
    for (ForwardPath to : recipients) {
      for (RememberedAnswer answer : known(keys.place(origin, to))) {
        if (answer.content().equals(content)) {
          changed.add(answer.asHeard());
        }
      }
    }
    changed.forEach(this::remove);
    append(changed);
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
  public synchronized void putOff(Origin origin, ForwardPath answered, List<ForwardPath> others) {
    Key network = keys.network(origin.network());
    AnswerTurns.Turn turn = new AnswerTurns.Turn(network, keys.place(origin, answered));
    others.forEach(to -> turns.leave(keys.place(origin, to), turn));
  }

  /** True, once, when this recipient has to wait for one with an answer. */
  public synchronized boolean takeTurn(Origin origin, ForwardPath to) {
    return size() > 0 && turns.take(keys.place(origin, to));
  }

  @Override
  public synchronized void close() {
    if (file != null) {
      file.close();
    }
  }

  /** The answer is not there yet, and there is room. */
  private void put(RememberedAnswer answer) {
    byPlace.computeIfAbsent(answer.place(), place -> new ArrayList<>(1)).add(answer);
    shares.add(answer.network(), 1);
    firstExpires = Math.min(firstExpires, answer.expiresSeconds());
  }

  /** Removes the answer for the same place and content. */
  private void remove(RememberedAnswer answer) {
    List<RememberedAnswer> known = byPlace.get(answer.place());
    if (known != null && known.removeIf(old -> old.content().equals(answer.content()))) {
      shares.add(answer.network(), -1);
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

  private boolean hasRoom(Key network, int more) {
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

  /** Appends them to the file; how far it must be synced for them, 0 when that failed. */
  private long append(List<RememberedAnswer> answers) {
    if (file == null || answers.isEmpty() || !file.problem().isEmpty()) {
      return 0;
    }
    return file.records() > 2 * shares.max() ? rewrite() : file.append(answers);
  }

  /** Replaces the file by a new one with every answer; returns what {@link #append} does. */
  private synchronized long rewrite() {
    if (file == null) {
      return 0;
    }
    forgetOld();
    return file.replace(keys.secret(), all());
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
