package io.bloomgate.gateway.relay;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What mail servers answered for single recipients of messages on which they did not agree: the
 * client heard one 451 for all, and at its next try nobody gets the message twice. One a gateway,
 * made by the composition root; used by sessions on their threads, thread-safe.
 *
 * <p>Addresses and contents are known by keyed hashes only ({@link AnswerKeys}). What is remembered
 * is in {@link AnswerFile} before the 451 is spoken. While that cannot be written, or is full,
 * {@link #usable} is false, and no message is taken whose recipients could be answered differently.
 */
public final class AnswerMemory implements AutoCloseable {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "answers";

  /** Answers at most; about 600 octets of heap each. */
  static final int MAX_ANSWERS = 20_000;

  /** As long as senders try (RFC 5321 section 4.5.4.1). */
  static final Duration KEPT = Duration.ofDays(5);

  /** {@code null} where nothing is remembered. Its monitor is taken within that of this. */
  private final @Nullable AnswerFile file;

  private final InstantSource clock;
  private final AnswerKeys keys;
  private final int maxAnswers;
  private final Map<Key, List<Remembered>> byPlace = new HashMap<>();

  /** Answers that did not help at a further try, because others of the message were put off. */
  private final Set<Key> tried = new HashSet<>();

  /**
   * Senders whose next message is for those with answers, so that others do not go first always.
   */
  private final Set<Key> turns = new HashSet<>();

  private int count;

  private AnswerMemory(
      @Nullable AnswerFile file, InstantSource clock, AnswerKeys keys, int maxAnswers) {
    this.file = file;
    this.clock = clock;
    this.keys = keys;
    this.maxAnswers = maxAnswers;
  }

  /** Remembers nothing, so that no message is taken that would need it. */
  public static AnswerMemory none() {
    AnswerKeys keys = new AnswerKeys(new byte[AnswerKeys.SECRET_OCTETS]);
    return new AnswerMemory(null, InstantSource.fixed(Instant.EPOCH), keys, 0);
  }

  /**
   * Reads the file, or begins one. A file that cannot be read or written is an alarm and no reason
   * not to start.
   */
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
    Optional<Remembered> next = Remembered.read(in);
    while (next.isPresent()) {
      if (next.get().expiresSeconds() > now) {
        put(next.get());
      }
      next = Remembered.read(in);
    }
  }

  // ---- questions

  /** 128 bits of a keyed hash. */
  public record Key(long high, long low) {}

  /** What is known of one sender's mail for one recipient, whatever its content. */
  public record Hint(Kind kind, Set<Key> contents) {

    /** Nothing is known. */
    public static final Hint NONE = new Hint(Kind.NEW, Set.of());

    public Hint {
      contents = Set.copyOf(contents);
    }
  }

  /** What a hint says of the next answer, if the client tries the same message again. */
  public enum Kind {
    /** Nothing: no message waits to be tried again. */
    NEW,
    /** It was taken: he will be answered 250. */
    TAKEN,
    /** The same, and at a further try it did not help, because others were put off again. */
    TRIED,
    /** It was refused for good. */
    REFUSED
  }

  /** True when what is remembered from now on is remembered for sure. */
  public synchronized boolean usable() {
    if (file == null) {
      return false;
    }
    if (file.wantsAnotherTry()) {
      rewrite();
    }
    return file.problem().isEmpty() && (count < maxAnswers || makeRoom());
  }

  /** What is known of this sender's mail for this recipient. */
  public synchronized Hint hint(ReversePath from, ForwardPath to) {
    if (count == 0) {
      return Hint.NONE;
    }
    List<Remembered> known = known(keys.place(from, to));
    if (known.isEmpty()) {
      return Hint.NONE;
    }
    Kind kind = Kind.NEW;
    Set<Key> contents = new HashSet<>();
    for (Remembered answer : known) {
      contents.add(answer.content());
      if (!answer.told()) {
        Kind one =
            answer.reply().permanentFailure()
                ? Kind.REFUSED
                : tried.contains(answer.content()) ? Kind.TRIED : Kind.TAKEN;
        kind = one.compareTo(kind) > 0 ? one : kind;
      }
    }
    return new Hint(kind, contents);
  }

  /** How this content of this sender is known here. */
  public Key content(ReversePath from, byte[] sha256) {
    return keys.content(from, sha256);
  }

  /** What was answered for this recipient of this content. */
  public synchronized Optional<Reply> answer(ReversePath from, ForwardPath to, Key content) {
    return known(keys.place(from, to)).stream()
        .filter(answer -> answer.content().equals(content))
        .map(Remembered::reply)
        .findFirst();
  }

  /** What keeps it from its work; for {@code status}. */
  public synchronized List<String> alarms() {
    if (file == null) {
      return List.of();
    }
    String problem = file.problem();
    String why =
        !problem.isEmpty() ? problem : count >= maxAnswers ? "there are " + count + " of them" : "";
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
    return count;
  }

  // ---- changes

  /**
   * Remembers what was answered for some recipients of this content; when it returns true, after a
   * crash too.
   *
   * @param answers 2xx and 5xx; what was put off is asked again
   */
  public boolean remember(ReversePath from, Key content, Map<ForwardPath, Reply> answers) {
    long expires = now() + KEPT.toSeconds();
    List<Remembered> fresh = new ArrayList<>();
    answers.forEach((to, reply) -> {
      if (!reply.transientFailure()) {
        fresh.add(Remembered.of(keys.place(from, to), content, expires, reply));
      }
    });
    long upTo;
    synchronized (this) {
      fresh.forEach(this::put);
      upTo = append(fresh);
    }
    return fresh.isEmpty() || (upTo > 0 && file != null && file.sync(upTo));
  }

  /** The client heard what is remembered for these recipients of this content. */
  public synchronized void told(ReversePath from, Key content, List<ForwardPath> recipients) {
    List<Remembered> changed = new ArrayList<>();
    for (ForwardPath to : recipients) {
      for (Remembered answer : known(keys.place(from, to))) {
        if (answer.content().equals(content) && !answer.told()) {
          changed.add(answer.asTold());
        }
      }
    }
    changed.forEach(this::put);
    append(changed);
  }

  /** What is remembered of this content was of no use once more: others were put off again. */
  public synchronized void triedInVain(Key content) {
    if (tried.size() < maxAnswers) {
      tried.add(content);
    }
  }

  /**
   * One with an answer was put off, because others of this sender came first: at the next try it is
   * his turn.
   */
  public synchronized void putOff(ReversePath from) {
    if (turns.size() < maxAnswers) {
      turns.add(keys.sender(from));
    }
  }

  /** True when those with answers go first in this sender's next message; said once. */
  public synchronized boolean takeTurn(ReversePath from) {
    return !turns.isEmpty() && turns.remove(keys.sender(from));
  }

  @Override
  public synchronized void close() {
    if (file != null) {
      file.close();
    }
  }

  // ---- inside

  private void put(Remembered answer) {
    List<Remembered> known = byPlace.computeIfAbsent(answer.place(), place -> new ArrayList<>(1));
    boolean replaced = known.removeIf(old -> old.content().equals(answer.content()));
    known.add(answer);
    count += replaced ? 0 : 1;
  }

  /** What is not too old. */
  private List<Remembered> known(Key place) {
    long now = now();
    return byPlace.getOrDefault(place, List.of()).stream()
        .filter(answer -> answer.expiresSeconds() > now)
        .toList();
  }

  /** Forgets what is too old, then what its client has heard; true when there is room again. */
  private boolean makeRoom() {
    long now = now();
    forget(answer -> answer.expiresSeconds() <= now);
    if (count >= maxAnswers) {
      forget(Remembered::told);
    }
    return count < maxAnswers;
  }

  private void forget(Predicate<Remembered> which) {
    byPlace.values().forEach(known -> known.removeIf(which));
    byPlace.values().removeIf(List::isEmpty);
    count = byPlace.values().stream().mapToInt(List::size).sum();
    Set<Key> left = new HashSet<>();
    byPlace.values().forEach(known -> known.forEach(one -> left.add(one.content())));
    tried.retainAll(left);
    if (left.isEmpty()) {
      turns.clear();
    }
  }

  /** Writes them behind the others; how far the file must be synced for them, 0 for never. */
  private long append(List<Remembered> answers) {
    if (file == null || answers.isEmpty() || !file.problem().isEmpty()) {
      return 0;
    }
    return file.records() > 2 * maxAnswers ? rewrite() : file.append(answers);
  }

  /** Puts a new file in place of the old one, with all that is remembered; as {@link #append}. */
  private synchronized long rewrite() {
    if (file == null) {
      return 0;
    }
    long now = now();
    forget(answer -> answer.expiresSeconds() <= now);
    return file.replace(keys.secret(), byPlace.values().stream().flatMap(List::stream).toList());
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
