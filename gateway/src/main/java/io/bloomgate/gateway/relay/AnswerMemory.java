package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What mail servers answered for single recipients of messages on which they did not agree: the
 * client heard one 451 for all, and at its next try nobody gets the message twice. One a gateway,
 * made by the composition root; used by sessions on their threads, thread-safe.
 *
 * <p>A file of records behind a key that is made once; addresses and contents stand there as keyed
 * hashes only. It is written before the 451 is spoken, many sessions in one sync, and written whole
 * again at each start and after a failure. While it cannot be written, or is full, {@link #usable}
 * is false, and no message is taken whose recipients could be answered differently.
 */
public final class AnswerMemory implements AutoCloseable {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "answers";

  /** Answers at most; about 600 octets of heap each. */
  static final int MAX_ANSWERS = 20_000;

  /** As long as senders try (RFC 5321 section 4.5.4.1). */
  static final Duration KEPT = Duration.ofDays(5);

  /** How long a file that could not be written is left alone. */
  private static final Duration NEXT_TRY = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(AnswerMemory.class);
  private static final byte[] MAGIC = "BGANSW1\n".getBytes(StandardCharsets.US_ASCII);
  private static final int SECRET_OCTETS = 32;
  private static final byte PLACE = 1;
  private static final byte CONTENT = 2;
  private static final byte SENDER = 3;

  private final @Nullable Path path;
  private final InstantSource clock;
  private final byte[] secret;
  private final int maxAnswers;

  /** Taken before the monitor of this. */
  private final Object syncing = new Object();

  private final Map<Key, List<Remembered>> byPlace = new HashMap<>();

  /** Answers that did not help at a further try, because others of the message were put off. */
  private final Set<Key> tried = new HashSet<>();

  /**
   * Senders whose next message is for those with answers, so that others do not go first always.
   */
  private final Set<Key> turns = new HashSet<>();

  private @Nullable RandomAccessFile file;
  private String problem = "";
  private long triedSeconds;
  private int count;
  private int records;
  private long written;
  private long synced;

  private AnswerMemory(@Nullable Path path, InstantSource clock, byte[] secret, int maxAnswers) {
    this.path = path;
    this.clock = clock;
    this.secret = secret;
    this.maxAnswers = maxAnswers;
  }

  /** Remembers nothing, so that no message is taken that would need it. */
  public static AnswerMemory none() {
    AnswerMemory none =
        new AnswerMemory(null, InstantSource.fixed(Instant.EPOCH), new byte[SECRET_OCTETS], 0);
    none.problem = "there is no file for them";
    return none;
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
    byte[] octets = {};
    try {
      if (Files.exists(path)) {
        octets = Files.readAllBytes(path);
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be read; recipients may get a message twice: {}", path, e.toString());
    }
    ByteBuffer in = ByteBuffer.wrap(octets);
    byte[] secret = new byte[SECRET_OCTETS];
    byte[] magic = new byte[MAGIC.length];
    boolean sound = octets.length >= magic.length + secret.length;
    if (sound) {
      in.get(magic).get(secret);
      sound = Arrays.equals(magic, MAGIC);
    }
    if (!sound) {
      random.nextBytes(secret);
    }
    AnswerMemory memory = new AnswerMemory(path, clock, secret, maxAnswers);
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
    if (path == null) {
      return false;
    }
    if (!problem.isEmpty() && now() - triedSeconds >= NEXT_TRY.toSeconds()) {
      rewrite();
    }
    return problem.isEmpty() && (count < maxAnswers || makeRoom());
  }

  /** What is known of this sender's mail for this recipient. */
  public synchronized Hint hint(ReversePath from, ForwardPath to) {
    if (count == 0) {
      return Hint.NONE;
    }
    Key place = place(from, to);
    List<Remembered> known = known(place);
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
    return hash(CONTENT, sha256, from.text());
  }

  /** What was answered for this recipient of this content. */
  public synchronized Optional<Reply> answer(ReversePath from, ForwardPath to, Key content) {
    return known(place(from, to)).stream()
        .filter(answer -> answer.content().equals(content))
        .map(Remembered::reply)
        .findFirst();
  }

  /** What keeps it from its work; for {@code status}. */
  public synchronized List<String> alarms() {
    if (path == null) {
      return List.of();
    }
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
        fresh.add(Remembered.of(place(from, to), content, expires, reply));
      }
    });
    long upTo;
    synchronized (this) {
      fresh.forEach(this::put);
      upTo = append(fresh);
    }
    return fresh.isEmpty() || (upTo > 0 && sync(upTo));
  }

  /** The client heard what is remembered for these recipients of this content. */
  public synchronized void told(ReversePath from, Key content, List<ForwardPath> recipients) {
    List<Remembered> changed = new ArrayList<>();
    for (ForwardPath to : recipients) {
      for (Remembered answer : known(place(from, to))) {
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
      turns.add(hash(SENDER, new byte[0], from.text()));
    }
  }

  /** True when those with answers go first in this sender's next message; said once. */
  public synchronized boolean takeTurn(ReversePath from) {
    return !turns.isEmpty() && turns.remove(hash(SENDER, new byte[0], from.text()));
  }

  @Override
  public synchronized void close() {
    problem = "closed";
    closeFile();
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
    RandomAccessFile to = file;
    if (to == null || !problem.isEmpty() || answers.isEmpty()) {
      return 0;
    }
    if (records > 2 * maxAnswers) {
      rewrite();
      return problem.isEmpty() ? written : 0;
    }
    try {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      answers.forEach(answer -> octets.writeBytes(answer.octets()));
      to.write(octets.toByteArray());
      records += answers.size();
      written += octets.size();
      return written;
    } catch (IOException e) {
      failed(e);
      return 0;
    }
  }

  /** One sync serves all that were written before it began. */
  private boolean sync(long upTo) {
    synchronized (syncing) {
      RandomAccessFile of;
      long reaches;
      synchronized (this) {
        if (synced >= upTo) {
          return true;
        }
        of = file;
        reaches = written;
      }
      try {
        if (of == null) {
          return false;
        }
        of.getFD().sync();
      } catch (IOException e) {
        synchronized (this) {
          if (synced >= upTo) {
            // Another file took its place under our hands, with all that was in it.
            return true;
          }
          failed(e);
        }
        return false;
      }
      synchronized (this) {
        synced = Math.max(synced, reaches);
        return problem.isEmpty();
      }
    }
  }

  private void failed(IOException e) {
    problem = e.toString();
    triedSeconds = now();
    closeFile();
    LOG.warn("{} cannot be written, it is tried again: {}", path, problem);
  }

  private void closeFile() {
    RandomAccessFile open = file;
    file = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      LOG.debug("{}: {}", path, e.toString());
    }
  }

  /** Puts a new file in place of the old one, with all that is remembered. */
  private synchronized void rewrite() {
    Path to = path;
    if (to == null) {
      return;
    }
    long now = now();
    forget(answer -> answer.expiresSeconds() <= now);
    closeFile();
    try {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      octets.writeBytes(MAGIC);
      octets.writeBytes(secret);
      byPlace.values().forEach(known -> known.forEach(one -> octets.writeBytes(one.octets())));
      DurableFiles.replace(to, octets.toByteArray());
      RandomAccessFile opened = new RandomAccessFile(to.toFile(), "rw");
      opened.seek(opened.length());
      file = opened;
      records = count;
      written++;
      synced = written;
      problem = "";
    } catch (IOException e) {
      failed(e);
    }
  }

  private Key place(ReversePath from, ForwardPath to) {
    return hash(PLACE, from.text().getBytes(StandardCharsets.UTF_8), to.text());
  }

  private Key hash(byte what, byte[] one, String other) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(what);
      mac.update(one);
      // No path holds it (RFC 5321 section 4.1.2).
      mac.update((byte) 0);
      ByteBuffer hash = ByteBuffer.wrap(mac.doFinal(other.getBytes(StandardCharsets.UTF_8)));
      return new Key(hash.getLong(), hash.getLong());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
