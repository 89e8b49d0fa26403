package io.bloomgate.blocklists.greylist;

import io.bloomgate.blocklists.database.DatabaseFiles;
import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.greylist.GreylistFile.Change;
import io.bloomgate.blocklists.greylist.GreylistFile.Seed;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.GreylistSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows who has to come again because weak lists name the client, and who came. A sender is the
 * client's wide network, the domain of the envelope sender and the domain of the recipient: large
 * providers try again from other addresses of a network. A sender who comes again after {@code
 * greylist.delay} and within {@code greylist.window} is let in, and for {@link #REMEMBERED} after
 * the last mail; the lists are asked at each visit.
 *
 * <p>Bounds: {@link #MOST_PENDING} senders wait at a time, an eighth of them of one network. A
 * network that has used its share waits as a whole: when it has come again, all its senders without
 * a place pass at their first visit until the window ends, and none of them is remembered. Who can
 * fill a share can also come again with each sender, so a longer wait would only stop the good ones
 * of that network. When there is no room even for the network, mail passes, as weak lists are no
 * reason to lose it. {@link #MOST_PASSED} senders that came again are remembered, an eighth of them
 * of one network.
 *
 * <p>Sessions call {@link #ask}, a slow chore calls {@link #save} each second; a kill loses at most
 * a second, which costs a sender one more delay. There is no file before the first sender waits.
 * Thread-safe.
 */
public final class Greylist implements AutoCloseable {

  /** Name of the file in the state directory. */
  public static final String FILE_NAME = "greylist.db";

  /** Senders that wait at a time; about 23 octets each. */
  public static final int MOST_PENDING = 500_000;

  /** Senders that came again and are remembered; about 24 octets each. */
  static final int MOST_PASSED = 1_250_000;

  /** The time for which senders that came again are remembered after their last mail. */
  public static final Duration REMEMBERED = Duration.ofDays(36);

  /** Changes that wait to be stored; after more of them everything is stored. */
  private static final int MOST_UNSAVED = 200_000;

  private final Path path;
  private final Predicate<IpAddress> known;
  private final Consumer<String> alarm;
  private final ReentrantLock lock = new ReentrantLock();
  private final Visits visits;
  private Seed seed;
  private KeyHash keys;
  private List<Change> unsaved = new ArrayList<>();

  /** True when the file is not what is known without {@link #unsaved}. */
  private boolean storesAll = true;

  private String problem = "";
  private volatile Consumer<Visit> count = visit -> {};
  private volatile @Nullable GreylistSharing sharing;

  /** True when something became known since it was set to false. */
  private boolean changed;

  /** Used by the thread that saves. */
  private @Nullable GreylistFile file;

  /** The meaning of a visit. */
  public enum Visit implements Keyed {
    /** The first one, or the first after the window: comes again. */
    FIRST,
    /** The sender came too early, and has to come again. */
    EARLY,
    /** The sender came again in time: let in. */
    RETURNED,
    /** Came again within the last days: let in. */
    PASSED,
    /** Mail from this network was accepted lately, when no list named it: let in. */
    KNOWN,
    /** The sender is let in, because too many wait. */
    NO_ROOM;

    /** True when the mail is let in. */
    public boolean letIn() {
      return this != FIRST && this != EARLY;
    }
  }

  /**
   * The numbers of senders that are remembered.
   *
   * @param waiting that have to come again
   * @param passed that came again within the last days
   */
  public record Sizes(int waiting, long passed) {}

  /**
   * The state of a sender, for {@code explain}.
   *
   * @param next what its next visit would be
   * @param since its first visit; {@code null} when it does not wait
   * @param letInFrom when it may come again; {@code null} when it does not wait
   * @param until when it will be forgotten, unless mail comes; {@code null} when it is not known
   */
  public record Standing(
      Visit next, @Nullable Instant since, @Nullable Instant letInFrom, @Nullable Instant until) {

    /** The state of a sender about which no time is known. */
    static Standing of(Visit next) {
      return new Standing(next, null, null, null);
    }
  }

  private Greylist(
      Path path, Seed seed, Predicate<IpAddress> known, Consumer<String> alarm, int most) {
    this.path = path;
    this.known = known;
    this.alarm = alarm;
    this.visits = new Visits(most, MOST_PASSED, this::note, alarm);
    this.seed = seed;
    this.keys = new KeyHash(seed.high(), seed.low());
  }

  /**
   * Reads what a file holds. Mail does not depend on it (promise P5): a damaged one is moved aside,
   * and one that cannot be used is replaced as soon as it can.
   *
   * @param known true for a client from whose network mail was accepted lately
   * @param alarm receives sentences for the operator
   */
  public static Greylist open(
      Path stateDir, SecureRandom random, Predicate<IpAddress> known, Consumer<String> alarm) {
    return open(stateDir, random, known, alarm, MOST_PENDING);
  }

  /** Opens it with another bound. */
  static Greylist open(
      Path stateDir,
      SecureRandom random,
      Predicate<IpAddress> known,
      Consumer<String> alarm,
      int most) {
    Seed seed = new Seed(random.nextLong(), random.nextLong());
    Greylist greylist = new Greylist(stateDir.resolve(FILE_NAME), seed, known, alarm, most);
    greylist.restore();
    return greylist;
  }

  private void restore() {
    if (!Files.exists(path)) {
      return;
    }
    Seed stored;
    try {
      stored = opened().read(visits);
      storesAll = stored == null;
    } catch (IOException e) {
      stored = GreylistFile.readAlone(path, visits);
      failed(e);
    }
    if (stored != null) {
      seed = stored;
      keys = new KeyHash(seed.high(), seed.low());
    }
  }

  /**
   * Notes a visit.
   *
   * @param sender domain of the envelope sender; {@code null} for {@code <>} and for a literal
   * @param recipient domain of the recipient
   */
  public Visit ask(
      IpAddress client,
      @Nullable DomainName sender,
      String recipient,
      GreylistSettings rules,
      Instant now) {
    if (known.test(client)) {
      return Visit.KNOWN;
    }
    IpAddress network = ClientNetwork.wide(client);
    GreylistSharing.Sender who = new GreylistSharing.Sender(network, sender, recipient);
    GreylistSharing others = sharing;
    if (others != null && standing(client, sender, recipient, rules, now).next() == Visit.FIRST) {
      others.cameFirst(who, rules, now);
    }
    boolean[] isNews = {false};
    Visit visit =
        locked(() -> {
          changed = false;
          Visit made =
              visits.ask(
                  keys.visit(network, sender, recipient), keys.ip(network), rules, seconds(now));
          isNews[0] = changed;
          return made;
        });
    if (others != null && isNews[0] && visit.letIn()) {
      others.cameAgain(who);
    }
    return visit;
  }

  private static long seconds(Instant time) {
    return Math.max(1, time.getEpochSecond());
  }

  /**
   * Notes what a sender did at another node, as if it had come here.
   *
   * @param cameAgain in time, so that it was let in
   */
  public void merge(
      GreylistSharing.Sender sender, boolean cameAgain, GreylistSettings rules, Instant at) {
    long exact = keys.visit(sender.network(), sender.domain(), sender.recipient());
    long network = keys.ip(sender.network());
    locked(() -> visits.merge(exact, network, cameAgain, rules, seconds(at)));
  }

  /** The answer that {@link #ask} would give now; notes no visit. */
  public Standing standing(
      IpAddress client,
      @Nullable DomainName sender,
      String recipient,
      GreylistSettings rules,
      Instant now) {
    if (known.test(client)) {
      return Standing.of(Visit.KNOWN);
    }
    IpAddress network = ClientNetwork.wide(client);
    long exact = keys.visit(network, sender, recipient);
    return locked(() -> visits.standing(exact, keys.ip(network), rules, seconds(now)));
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes a visit and counts it.
   *
   * @return true when the mail is let in
   */
  public boolean letsIn(
      IpAddress client,
      @Nullable DomainName sender,
      String recipient,
      GreylistSettings rules,
      Instant now) {
    Visit visit = ask(client, sender, recipient, rules, now);
    count.accept(visit);
    return visit.letIn();
  }

  /** Counts visits from now on; before the first one. */
  public void countBy(Consumer<Visit> counter) {
    count = counter;
  }

  /** Tells other nodes of a fleet from now on who came, and asks them. */
  public void shareBy(GreylistSharing by) {
    sharing = by;
  }

  /** Called under the lock. */
  private void note(Change change) {
    changed |= !(change instanceof Change.GoneBefore);
    if (unsaved.size() < MOST_UNSAVED) {
      unsaved.add(change);
    } else {
      storesAll = true;
    }
  }

  /** The numbers of senders that are remembered, for {@code status}. */
  public Sizes sizes() {
    return locked(visits::sizes);
  }

  /** The reason why nothing can be stored, for {@code status}; empty when it can. */
  public List<String> alarms() {
    return locked(() -> problem.isEmpty() ? List.of() : List.of(problem));
  }

  /**
   * Stores what happened since the last call. Blocks for some milliseconds; a failure raises an
   * alarm, and is tried again at the next call. Called by one thread at a time.
   */
  public void save() {
    List<Change> changes = takeUnsaved();
    if (changes.isEmpty()) {
      return;
    }
    try {
      opened().store(changes);
      setProblem("");
    } catch (IOException e) {
      failed(e);
    }
  }

  private List<Change> takeUnsaved() {
    return locked(() -> {
      List<Change> changes = unsaved;
      unsaved = new ArrayList<>();
      if (storesAll) {
        changes = visits.everything();
        if (!changes.isEmpty()) {
          changes.addFirst(new Change.Replaced(seed));
          storesAll = false;
        }
      }
      return changes;
    });
  }

  private GreylistFile opened() throws IOException {
    GreylistFile open = file;
    if (open == null) {
      open = GreylistFile.open(path);
      file = open;
    }
    return open;
  }

  /** A damaged file makes room for another one. */
  private void failed(IOException e) {
    boolean _ = locked(() -> storesAll = true);
    if (e instanceof UnusableException unusable && unusable.fault() == Fault.DAMAGED) {
      try {
        closeFile();
        alarm.accept(
            path
                + " was damaged and is now "
                + DatabaseFiles.setAside(path)
                + "; what could not be read of it is forgotten, and senders come again once more");
        return;
      } catch (IOException further) {
        e.addSuppressed(further);
      }
    }
    setProblem(
        "what greylisting knows cannot be stored, and a restart will forget it: "
            + Faults.words(e));
  }

  private void setProblem(String sentence) {
    String before =
        locked(() -> {
          String known = problem;
          problem = sentence;
          return known;
        });
    if (before.isEmpty() && !sentence.isEmpty()) {
      alarm.accept(sentence);
    }
  }

  @Override
  public void close() throws IOException {
    save();
    closeFile();
  }

  private void closeFile() throws IOException {
    GreylistFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
