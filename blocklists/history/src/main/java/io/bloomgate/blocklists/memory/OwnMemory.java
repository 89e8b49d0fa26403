package io.bloomgate.blocklists.memory;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.memory.Remembered.Seen;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.MemorySettings;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of a gateway: takes sightings, and writes the lists that feeds read. What accepted
 * mail carried lately is on none of them. Made by the composition root; sessions and commands call
 * {@link #spam} and {@link #good}, one slow chore calls {@link #tend}.
 */
public final class OwnMemory implements Sightings, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnMemory.class);

  /** Lists are written at most so often, and take at most a fiftieth of the time. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private static final int PAUSES_A_WRITING = 50;

  /** Live entries with which the build of all lists behind each writing takes long. */
  private static final long MANY_ENTRIES = 1_000_000;

  /**
   * The pause with {@link #MANY_ENTRIES}: else a stranger's mail now and then keeps a core busy.
   */
  private static final Duration LONG_PAUSE = Duration.ofMinutes(10);

  /** They are written that often without a sighting: accepted mail takes keys out. */
  private static final Duration LONGEST = Duration.ofHours(1);

  /**
   * The services around it.
   *
   * @param isProtected what no list of the memory may name: {@code never_block}, own domains, known
   *     good senders; asked for once a writing
   * @param entries that all live lists have
   * @param others of a fleet
   * @param node the name of this one in it
   */
  public record Surroundings(
      Supplier<Settings> settings,
      AcceptedMail accepted,
      Supplier<Predicate<Subject>> isProtected,
      LongSupplier entries,
      OtherNodes others,
      String node,
      InstantSource clock) {}

  /** Knows what accepted mail carried. */
  @FunctionalInterface
  public interface AcceptedMail {
    /**
     * Hands over each accepted mail that no list of the memory was against, or whose sender was
     * known: who was tagged by mistake would stay so.
     *
     * @return false where some of it is not known
     */
    boolean since(Instant oldest, SessionSearch.CarriedTaker taker) throws IOException;
  }

  private final Path stateDir;
  private final Surroundings around;
  private final MemoryStore store;
  private final GoodMailElsewhere elsewhere;
  private volatile boolean changed = true;
  private volatile String trouble = "";
  private volatile List<String> silent = List.of();
  private Instant next = Instant.MIN;
  private Instant latest = Instant.MIN;

  /** Nothing is read or written before the first use; {@link #prepare} makes missing lists. */
  public OwnMemory(Path stateDir, Surroundings around) {
    this.stateDir = stateDir;
    this.around = around;
    this.store = new MemoryStore(stateDir.resolve(MemoryStore.FILE_NAME), MemoryStore.MOST_KEYS);
    this.elsewhere = new GoodMailElsewhere(around.others(), around.node());
  }

  /** Makes the files of lists that are missing, before feeds read them. */
  public void prepare(Settings settings) {
    if (settings.memory() == null) {
      return;
    }
    try {
      MemoryLists none = new MemoryLists(settings.memory().sightings());
      for (String list : MemorySettings.LISTS) {
        if (!Files.exists(MemorySettings.file(stateDir, list))) {
          write(none, list);
        }
      }
    } catch (IOException e) {
      failed(e);
    }
    changed = true;
  }

  private @Nullable MemorySettings settings() {
    return around.settings().get().memory();
  }

  @Override
  public int spam(Sighting mail) {
    if (settings() == null) {
      return 0;
    }
    Seen seen = Seen.of(mail);
    List<RememberedKey> keys = RememberedKey.ofSpam(mail);
    tell(seen, keys);
    return changed(() -> store.add(seen, keys));
  }

  @Override
  public int good(Sighting mail) {
    if (settings() == null) {
      return 0;
    }
    List<RememberedKey> keys = RememberedKey.of(mail);
    tell(null, keys);
    return changed(() -> store.keepOut(keys, around.clock().instant()));
  }

  private void tell(@Nullable Seen spam, List<RememberedKey> keys) {
    if (!keys.isEmpty()) {
      around.others().tell(SharedMail.text(spam, keys));
    }
  }

  /**
   * Remembers what another node of the fleet has seen, or sent before; on the one thread that reads
   * what nodes send.
   *
   * @param ago when it sent that
   * @return false for a text that no node of this release sends
   */
  public boolean heard(String text, Duration ago) {
    MemorySettings settings = settings();
    Optional<SharedMail> shared = SharedMail.of(text);
    if (settings == null || shared.isEmpty()) {
      return shared.isPresent();
    }
    List<RememberedKey> keys = shared.get().remembered();
    Seen seen = shared.get().spam();
    Instant now = around.clock().instant();
    var _ =
        changed(() ->
            seen == null
                ? store.keepOut(keys, now.minus(ago))
                : seen.at().isBefore(now.minus(settings.keep())) || store.has(seen)
                    ? 0
                    : store.add(seen, keys));
    return true;
  }

  @Override
  public boolean isOn() {
    return settings() != null;
  }

  @Override
  public Optional<Instant> waitsUntil() {
    if (settings() == null) {
      return Optional.empty();
    }
    try {
      Instant now = around.clock().instant();
      return Optional.of(store.knownSince(now).plus(MemorySettings.ACCEPTED)).filter(now::isBefore);
    } catch (IOException e) {
      failed(e);
      return Optional.empty();
    }
  }

  private interface Change {
    int make() throws IOException;
  }

  private int changed(Change change) {
    try {
      int keys = change.make();
      changed = true;
      trouble = "";
      return keys;
    } catch (IOException e) {
      failed(e);
      return 0;
    }
  }

  private void failed(IOException e) {
    String now = Faults.reason(e);
    if (!now.equals(trouble)) {
      LOG.error("own memory: {}", now, e);
    }
    trouble = now;
  }

  /** Sentences for the operator. */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (!trouble.isEmpty()) {
      alarms.add("own memory: what was seen in spam is not kept or not listed now: " + trouble);
    }
    for (String node : silent) {
      alarms.add(
          "own memory: node %s remembers nothing, so nobody knows what its good mail carried, and"
                  .formatted(node)
              + " new entries do no more than tag; write traps.keep: 30d there");
    }
    return alarms;
  }

  /** Writes the lists when something changed, and now and then. */
  public void tend() {
    Instant begun = around.clock().instant();
    MemorySettings settings = settings();
    if (begun.isBefore(next)) {
      return;
    }
    if (settings == null) {
      elsewhere.remembersNothing();
      next = begun.plus(PAUSE);
      silent = List.of();
      return;
    }
    changed |= elsewhere.read();
    silent = elsewhere.silent();
    if (!changed && begun.isBefore(latest)) {
      return;
    }
    changed = false;
    try {
      MemoryLists lists = lists(settings, begun);
      for (String list : MemorySettings.LISTS) {
        write(lists, list);
      }
      trouble = "";
    } catch (IOException e) {
      failed(e);
      changed = true;
    }
    Instant ended = around.clock().instant();
    Duration rest = Duration.between(begun, ended).multipliedBy(PAUSES_A_WRITING);
    Duration least = around.entries().getAsLong() > MANY_ENTRIES ? LONG_PAUSE : PAUSE;
    next = ended.plus(rest.compareTo(least) > 0 ? rest : least);
    latest = ended.plus(LONGEST);
  }

  private MemoryLists lists(MemorySettings settings, Instant now) throws IOException {
    Instant oldest = now.minus(settings.keep());
    store.forget(oldest, now);
    List<Remembered> all = store.all();
    Instant since = now.minus(MemorySettings.ACCEPTED);
    Set<Integer> remembered =
        all.stream().flatMap(one -> one.key().keptOutBy().stream()).collect(Collectors.toSet());
    Set<Integer> asked = elsewhere.asked();
    asked.addAll(remembered);
    Set<Integer> carried = new HashSet<>();
    boolean complete =
        carried(asked, since, carried) && settings.knowsGoodMail(around.settings().get());
    boolean isYoung = store.knownSince(now).isAfter(since);
    elsewhere.answerAndAsk(complete && !isYoung, carried, remembered);
    MemoryLists lists = new MemoryLists(settings.sightings());
    Predicate<Subject> isProtected = around.isProtected().get();
    for (Remembered one : isYoung ? List.<Remembered>of() : all) {
      List<Integer> hashes = one.key().keptOutBy();
      if (Collections.disjoint(carried, hashes)
          && !elsewhere.mayHaveCarried(hashes)
          && !isProtected.test(one.key().subject())) {
        lists.add(one, complete && elsewhere.allKnow(hashes));
      }
    }
    return lists;
  }

  /**
   * Finds the hashes that accepted mail carried; mails that were sightings themselves do not count.
   *
   * @return false where some accepted mail is not known
   */
  private boolean carried(Set<Integer> asked, Instant since, Set<Integer> carried)
      throws IOException {
    Set<String> seen = store.sessions();
    return around
        .accepted()
        .since(
            since,
            (id, client, senderDomain, hashes) -> {
              if (!seen.contains(id)) {
                hashes.stream().filter(asked::contains).forEach(carried::add);
                RememberedKey.hashes(client, senderDomain).stream()
                    .filter(asked::contains)
                    .forEach(carried::add);
              }
            });
  }

  /** A file that would be the same stays, so that its feed is not read again. */
  private void write(MemoryLists lists, String list) throws IOException {
    Path file = MemorySettings.file(stateDir, list);
    byte[] fresh = lists.file(list);
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), fresh)) {
      DurableFiles.replace(file, fresh);
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
