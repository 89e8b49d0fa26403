package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The generations on disk: {@code STATE_DIR/snapshots/0000000412/}, and {@code CURRENT}, which
 * names the live one. One gateway at a time opens it for writing (the state directory's lock is the
 * caller's): it loads at start, builds on the feed-refresher thread, and verifies on a separate
 * thread. The offline commands only read.
 */
public final class SnapshotStore implements AutoCloseable {

  /** Exists while a gateway has the store open; found at start, it shows an unclean stop. */
  private static final String IN_USE = "IN_USE";

  /** The number of times that reading is tried when a gateway publishes and prunes meanwhile. */
  private static final int READ_ATTEMPTS = 5;

  /** Octets of generations that are kept for {@code explain}, beyond the number of the settings. */
  private static final long MAX_PAST_OCTETS = 512L << 20;

  /** Octets that these leave of the disk: more than kept sessions ask for. */
  private static final long PAST_RESERVE_OCTETS = 256L << 20;

  private final GenerationDirectory directory;
  private final SnapshotBuilder builder;
  private final InstantSource clock;
  private final Consumer<String> alarm;
  private final boolean unclean;
  private final boolean foundUnfinished;

  /** Held while names in the directory change. */
  private final ReentrantLock changing = new ReentrantLock();

  private SnapshotStore(
      GenerationDirectory directory,
      SnapshotBuilder builder,
      InstantSource clock,
      Consumer<String> alarm,
      boolean unclean,
      boolean foundUnfinished) {
    this.directory = directory;
    this.builder = builder;
    this.clock = clock;
    this.alarm = alarm;
    this.unclean = unclean;
    this.foundUnfinished = foundUnfinished;
  }

  /**
   * Opens the store for writing and clears what a killed build left, as far as the disk can be
   * written now.
   *
   * @param directory {@code STATE_DIR/snapshots}
   * @param alarm receives a sentence for the operator about each damage and each return to an older
   *     generation
   */
  public static SnapshotStore open(
      Path directory, SnapshotBuilder builder, InstantSource clock, Consumer<String> alarm)
      throws IOException {
    GenerationDirectory names = new GenerationDirectory(directory);
    boolean unfinished = !names.unfinishedOnes().isEmpty();
    Path inUse = directory.resolve(IN_USE);
    boolean unclean = Files.exists(inUse);
    try {
      DurableFiles.ensurePrivateDirectory(directory);
      clearLeftovers(names);
      DurableFiles.replace(inUse, new byte[0]);
    } catch (IOException e) {
      // A full disk must not keep the gateway from starting with the lists that it has.
      alarm.accept("no list can be stored now: " + Faults.words(e));
    }
    return new SnapshotStore(names, builder, clock, alarm, unclean, unfinished);
  }

  /** True when the process before ended in a build: nothing else leaves an unfinished one. */
  public boolean foundUnfinished() {
    return foundUnfinished;
  }

  /**
   * Size of the files of a generation: filters, index, manifest.
   *
   * @throws IOException when it is not there any more
   */
  public long octets(long generation) throws IOException {
    try (Stream<Path> files = Files.list(directory.path(generation))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** Builds that did not end, and generations that were finished but never became current. */
  private static void clearLeftovers(GenerationDirectory names) throws IOException {
    for (long unfinished : names.unfinishedOnes()) {
      DurableFiles.deleteTree(names.building(unfinished));
    }
    OptionalLong current = names.current();
    for (long generation : names.generations()) {
      if (current.isPresent() && generation > current.getAsLong()) {
        DurableFiles.deleteTree(names.path(generation));
      }
    }
  }

  /**
   * Opens the generation that was live last, or the newest older one that is whole; {@link
   * ListSnapshot#EMPTY} when there is none. After an unclean stop every page is verified first.
   *
   * @throws IOException when generations may not be read at all
   */
  public ListSnapshot load() throws IOException {
    changing.lock();
    try {
      OptionalLong current = directory.current();
      return current.isPresent() ? newestWhole(current.getAsLong(), unclean) : ListSnapshot.EMPTY;
    } finally {
      changing.unlock();
    }
  }

  /** The newest generation from {@code newest} down that is whole; the pointer follows. */
  private ListSnapshot newestWhole(long newest, boolean verifyAll) throws IOException {
    for (long generation : directory.generations()) {
      if (generation > newest) {
        continue;
      }
      try {
        Optional<ListSnapshot> whole = openWhole(generation, verifyAll || generation != newest);
        if (whole.isPresent()) {
          follow(generation);
          return whole.get();
        }
        setAside(generation);
      } catch (OtherReleaseException e) {
        // Whole, so it is left to the release that can read it.
        alarm.accept("generation " + generation + " of the lists: " + Faults.words(e));
      }
    }
    alarm.accept("no generation of the lists could be read; lists are empty until the next build");
    return ListSnapshot.EMPTY;
  }

  /**
   * A file that may not be read is not damaged: the operator has to fix that, so it is an
   * exception.
   */
  private Optional<ListSnapshot> openWhole(long generation, boolean verify)
      throws AccessDeniedException, OtherReleaseException {
    try {
      MappedSnapshot snapshot = MappedSnapshot.open(directory.path(generation));
      if (verify) {
        snapshot.verify();
      }
      return Optional.of(snapshot);
    } catch (AccessDeniedException | OtherReleaseException e) {
      throw e;
    } catch (IOException e) {
      alarm.accept("generation " + generation + " of the lists is unusable: " + Faults.words(e));
      return Optional.empty();
    }
  }

  /**
   * A pointer that cannot be written (disk full) must not keep a good generation from going live.
   */
  private void follow(long generation) {
    try {
      if (directory.pointer().orElse(0) != generation) {
        alarm.accept("the lists fall back to generation " + generation);
        directory.pointTo(generation);
      }
    } catch (IOException e) {
      alarm.accept("the fall-back cannot be noted on disk: " + Faults.words(e));
    }
  }

  /** Keeps the last damaged generation for the operator to look at. */
  private void setAside(long generation) {
    try {
      for (long older : directory.damagedOnes()) {
        DurableFiles.deleteTree(directory.damaged(older));
      }
      DurableFiles.rename(directory.path(generation), directory.damaged(generation));
    } catch (IOException e) {
      alarm.accept("generation " + generation + " cannot be set aside: " + Faults.words(e));
    }
  }

  /**
   * Opens the current generation for reading only, while a gateway may be running: nothing is
   * changed on disk. {@link ListSnapshot#EMPTY} when there is none. Every page is verified, since
   * nobody will do so later.
   *
   * @throws IOException when it cannot be read or is damaged
   */
  public static ListSnapshot openCurrent(Path directory) throws IOException {
    return current(
        directory,
        ListSnapshot.EMPTY,
        generation -> {
          MappedSnapshot snapshot = MappedSnapshot.open(generation);
          snapshot.verify();
          return snapshot;
        });
  }

  /**
   * The manifest of the current generation, for readers beside a gateway or without one; {@link
   * SnapshotManifest#EMPTY} when there is none that this release can read.
   *
   * @param directory {@code STATE_DIR/snapshots}
   * @throws IOException when it is damaged or cannot be read
   */
  public static SnapshotManifest currentManifest(Path directory) throws IOException {
    try {
      return current(directory, SnapshotManifest.EMPTY, ManifestFile::read);
    } catch (OtherReleaseException e) {
      return SnapshotManifest.EMPTY;
    }
  }

  /** Reads something of a generation. */
  @FunctionalInterface
  private interface Reading<T> {
    T of(Path generation) throws IOException;
  }

  private static <T> T current(Path directory, T none, Reading<T> reading) throws IOException {
    GenerationDirectory names = new GenerationDirectory(directory);
    for (int attempt = 1; ; attempt++) {
      OptionalLong current = names.current();
      if (current.isEmpty()) {
        return none;
      }
      try {
        return reading.of(names.path(current.getAsLong()));
      } catch (DamagedFileException | NoSuchFileException e) {
        // A running gateway may have published and pruned between the two reads.
        if (attempt == READ_ATTEMPTS || names.current().equals(current)) {
          throw e;
        }
      }
    }
  }

  /**
   * Number of the current generation, 0 for none; nothing is opened or changed.
   *
   * @param directory {@code STATE_DIR/snapshots}
   */
  public static long currentNumber(Path directory) throws IOException {
    return new GenerationDirectory(directory).current().orElse(0);
  }

  /**
   * Builds the next generation aside, checks it, makes it current on disk and removes those that
   * are no longer kept. The caller publishes the result through {@link LiveSnapshot}.
   *
   * @throws SnapshotBuildException when the build failed its own check
   * @throws IOException when a feed cannot be read or the disk is full; the current generation
   *     stays
   */
  public ListSnapshot build(List<FeedInput> feeds, BuildOptions options)
      throws IOException, SnapshotBuildException {
    return build(feeds, options, _ -> true).orElseThrow();
  }

  /** The same for one that is current only if a last look takes it; empty when it does not. */
  public Optional<ListSnapshot> build(
      List<FeedInput> feeds, BuildOptions options, SnapshotBuilder.Question<Boolean> takes)
      throws IOException, SnapshotBuildException {
    long generation = directory.next();
    Path aside = directory.building(generation);
    Path target = directory.path(generation);
    DurableFiles.deleteTree(aside);
    DurableFiles.ensurePrivateDirectory(directory.root());
    DurableFiles.createPrivateDirectory(aside);
    ListSnapshot snapshot;
    try {
      builder.build(aside, generation, clock, feeds, options);
      if (!takes.of(MappedSnapshot.open(aside))) {
        DurableFiles.deleteTree(aside);
        return Optional.empty();
      }
      DurableFiles.sync(aside);
      changing.lock();
      try {
        DurableFiles.rename(aside, target);
        snapshot = MappedSnapshot.open(target);
        directory.pointTo(generation);
      } finally {
        changing.unlock();
      }
    } catch (IOException | SnapshotBuildException | RuntimeException e) {
      // Not after an error, which may end the process: the next start is to find the build.
      DurableFiles.deleteTree(aside);
      DurableFiles.deleteTree(target);
      throw e;
    }
    prune(generation, options.keepGenerations());
    return Optional.of(snapshot);
  }

  /** Builds lists that are only asked, perhaps while another build is looked at. */
  public <T> T aside(List<FeedInput> feeds, SnapshotBuilder.Question<T> question)
      throws IOException, SnapshotBuildException {
    Path aside = directory.building(directory.next() + 1);
    DurableFiles.ensurePrivateDirectory(directory.root());
    return builder.aside(aside, clock, feeds, question);
  }

  /**
   * Removes what is no longer kept; a failure is only logged, because the new generation is live
   * already.
   */
  private void prune(long current, int keep) {
    changing.lock();
    try {
      long free = directory.root().toFile().getUsableSpace() - PAST_RESERVE_OCTETS;
      long room = Math.min(MAX_PAST_OCTETS, free);
      List<SnapshotManifest> manifests = KeptGenerations.manifests(directory, current);
      Set<Long> staying = KeptGenerations.staying(manifests, keep, room, this::octetsOf);
      List<Long> old = directory.generations().stream().filter(g -> g <= current).toList();
      for (long generation : old.subList(Math.min(keep, old.size()), old.size())) {
        if (!staying.contains(generation)) {
          DurableFiles.deleteTree(directory.path(generation));
        }
      }
    } catch (IOException e) {
      alarm.accept("old generations of the lists cannot be removed: " + Faults.words(e));
    } finally {
      changing.unlock();
    }
  }

  /** The size of a generation; the largest number when it is not known, so that it goes. */
  private long octetsOf(SnapshotManifest manifest) {
    try {
      return octets(manifest.generation());
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Verifies every page of the live generation; on damage raises the alarm and replaces it with the
   * newest older one that is whole. Needs at most a second a gigabyte: run it on a separate thread.
   *
   * @return true when another generation is live now, which may not be of the versions of today
   */
  public boolean verify(LiveSnapshot live) {
    if (!(live.current() instanceof MappedSnapshot snapshot)) {
      return false;
    }
    try {
      snapshot.verify();
    } catch (DamagedFileException e) {
      alarm.accept("the live lists are damaged: " + Faults.words(e));
      fallBack(live, snapshot);
    }
    return live.current() != snapshot;
  }

  private void fallBack(LiveSnapshot live, MappedSnapshot damaged) {
    changing.lock();
    try {
      boolean stillCurrent = directory.pointer().equals(OptionalLong.of(damaged.generation()));
      if (stillCurrent && live.current() == damaged) {
        setAside(damaged.generation());
        live.replace(damaged, newestWhole(damaged.generation(), true));
      }
    } catch (IOException e) {
      alarm.accept("no older generation of the lists can be read: " + Faults.words(e));
    } finally {
      changing.unlock();
    }
  }

  /** Notes that the store was left in order, so that the next start need not verify everything. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(directory.root().resolve(IN_USE));
    DurableFiles.sync(directory.root());
  }
}
