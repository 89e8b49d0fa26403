package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.OtherNodeAct;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.refresh.FeedSchedule.RebuildSchedule;
import io.bloomgate.blocklists.refresh.FeedTask.WaitingRefreshes;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lists current: the body of the one feed-refresher thread, its queue, and what the
 * control server asks of it.
 *
 * <p>{@link #run} looks at the clock, refreshes what is due, rebuilds when the settings ask for it,
 * and does the work of its queue, one piece after the other. Commands that change what is live are
 * tasks of that queue; they are called on control threads, as the reports are. Sessions see nothing
 * of it but the one step from one generation to the next.
 */
public final class FeedLoop implements Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedLoop.class);

  /** Rest after a fault that nothing foresaw, so that it does not fill the log or ask servers. */
  private static final Duration FAULT_REST = Duration.ofMinutes(1);

  /** Ten million entries are built in seconds; guards and disks may be slower. */
  private static final Duration LATE = Duration.ofMinutes(30);

  private static final String STOPPING = "the gateway is stopping";

  /** The time that the feeds that are ready wait for a slow one before they go live without it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RefreshParts parts;
  private final FeedArchive archive;
  private final ListPublisher publisher;
  private final FeedSchedule schedule;
  private final FeedReports reports;
  private final OperatorChoice choice;
  private final FeedAges ages;
  private final RunningFetches fetches;
  private final Duration patience;
  private final RebuildSchedule rebuilds;
  private final BlockingQueue<Step> queue = new LinkedBlockingQueue<>();

  /** Commands that have no answer yet. */
  private final Set<FeedTask<?>> open = ConcurrentHashMap.newKeySet();

  private final WaitingRefreshes waiting;

  private volatile boolean stopped;

  /** The time when the current work began; {@code null} while nothing is done. */
  private volatile @Nullable Instant workBegan;

  /** A piece of work in the queue. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  /** The work of a command; what it ends may come later than its return. */
  @FunctionalInterface
  private interface Work<T> {
    void run(FeedTask<T> task) throws InterruptedException;
  }

  private FeedLoop(RefreshParts parts, FeedFiles files, Duration patience) {
    this.parts = parts;
    this.archive =
        new FeedArchive(files, parts.states(), parts::manifest, parts.operator().alarm());
    this.publisher = new ListPublisher(parts, archive);
    this.rebuilds = new RebuildSchedule(parts, publisher);
    PublisherIntervals intervals = PublisherIntervals.of(parts, archive);
    this.schedule = new FeedSchedule(parts, archive, intervals);
    this.choice = new OperatorChoice(parts, archive, publisher);
    this.ages = new FeedAges(parts, archive);
    this.fetches = new RunningFetches(parts.fetching().threads(), intervals, this::wake);
    this.patience = patience;
    this.reports = new FeedReports(parts, archive);
    this.waiting = new WaitingRefreshes(reports, fetches::isUnderWay);
  }

  /**
   * Opens the stored feeds and makes the last generation live, without network. The caller then
   * runs this object on the feed-refresher thread.
   *
   * @throws IOException when the state directory cannot be used
   */
  public static FeedLoop open(RefreshParts parts) throws IOException {
    return open(parts, PATIENCE);
  }

  static FeedLoop open(RefreshParts parts, Duration patience) throws IOException {
    FeedFiles files = FeedFiles.open(parts.stateDir().resolve("feeds"));
    parts.lists().live().publish(parts.lists().snapshots().load());
    FeedLoop loop = new FeedLoop(parts, files, patience);
    loop.publisher.noteLive(Set.of());
    loop.begin();
    return loop;
  }

  /** Begins behind a process that may have ended in its work: it is not done again at once. */
  private void begin() {
    if (parts.lists().snapshots().foundUnfinished()) {
      rebuilds.rest();
    }
    for (Source source : parts.feeds().values()) {
      FeedRecord record = archive.get(source.name());
      if (record.outcome() == LastCheck.ENDED) {
        LOG.warn("feed {}: {}", source.name(), record.problem());
        schedule.tried(source);
      }
      try {
        archive.files().clear(source.name(), id -> id == record.live() || id == record.held());
      } catch (IOException e) {
        LOG.warn("feed {}: {}", source.name(), Faults.words(e));
      }
    }
  }

  /** The loop of the feed-refresher thread; ends after {@link #close}. */
  @Override
  public void run() {
    Duration rest = Duration.ZERO;
    while (!stopped) {
      try {
        workBegan = parts.even();
        if (rest.isZero()) {
          tick();
        }
        Duration sleep = rest.isZero() ? schedule.sleep() : rest;
        rest = Duration.ZERO;
        step(sleep);
      } catch (InterruptedException e) {
        stopped = true;
      } catch (RuntimeException | Error e) {
        // Without this thread every list would age unseen.
        rest = FAULT_REST;
        LOG.error("the refresh of feeds failed unexpectedly", e);
        parts.raise("the refresh of feeds failed unexpectedly, see the log");
        waiting.settle("the refresh failed unexpectedly, see the log");
      }
    }
    open.forEach(FeedTask::refuse);
  }

  /** Does the next work of the queue; returns without when none comes in this time. */
  void step(Duration sleep) throws InterruptedException {
    workBegan = null;
    Step step = queue.poll(sleep.toMillis(), TimeUnit.MILLISECONDS);
    workBegan = parts.even();
    if (step != null && !stopped) {
      step.run();
    }
  }

  /** True when one piece of work takes longer than the largest lists do. */
  public boolean isLate() {
    Instant began = workBegan;
    return began != null && parts.even().isAfter(began.plus(LATE));
  }

  /** Ends the loop; a build that is running is finished or discarded, never live in part. */
  @Override
  public void close() {
    stopped = true;
    wake();
  }

  /** Lets the loop look at the clock now, and take what was fetched; the leader of a fleet too. */
  public void wake() {
    queue.add(() -> {
      if (fetches.haveEnded()) {
        refreshNow(List.of(), false, false);
      }
    });
  }

  /** The settings were reloaded: feeds may have come or gone, rules changed. */
  public void settingsChanged() {
    rebuilds.settingsChanged();
    wake();
  }

  /** Another generation is live than was published: it may not be of the versions of today. */
  public void listsReplaced() {
    rebuilds.listsReplaced();
    wake();
  }

  /** One look at the clock and the files: refreshes what is due. On the refresher's thread. */
  public void tick() throws InterruptedException {
    ages.look();
    boolean rebuild = rebuilds.areDue();
    if (rebuild && parts.generation() == 0) {
      // Nothing is live: what is stored goes live before any server is waited for.
      refreshNow(List.of(), false, true);
      rebuild = false;
    }
    List<Source> sources = dueNow();
    if (!sources.isEmpty() || rebuild || rebuilds.wantReading() || fetches.haveEnded()) {
      refreshNow(sources, false, rebuild);
    }
  }

  private List<Source> dueNow() {
    return schedule.due().stream().filter(s -> !fetches.isUnderWay(s.name())).toList();
  }

  private void refreshNow(List<Source> sources, boolean force, boolean rebuild)
      throws InterruptedException {
    Collection<Source> again = rebuilds.takeReading() ? parts.feeds().values() : List.of();
    sources.forEach(schedule::tried);
    RefreshRun run = new RefreshRun(parts, archive, publisher, schedule, fetches, waiting::report);
    if (!run.refresh(sources, again, force, rebuild, patience)) {
      rebuilds.failed();
    }
    waiting.settle("");
  }

  /** Puts a command into the queue and waits for its end on the caller's thread. */
  private <T> T call(T refusal, Consumer<RefreshProgress> progress, Work<T> work)
      throws InterruptedException {
    FeedTask<T> task = new FeedTask<>(refusal);
    open.add(task);
    queue.add(() -> work.run(task));
    try {
      return task.await(progress, () -> stopped);
    } finally {
      open.remove(task);
    }
  }

  /**
   * Fetches feeds; returns when the new generation is live or refused.
   *
   * @param names feeds; none and not {@code all}: those that are due
   * @param force also where the server asked us to wait, and without validators; never past a guard
   */
  public RefreshResult refresh(
      List<String> names, boolean all, boolean force, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    for (String name : names) {
      if (!parts.feeds().containsKey(name)) {
        return new RefreshResult(
            List.of(),
            2,
            "there is no feed %s in the settings in force; if you just added it: `bloomgate config reload`"
                .formatted(name));
      }
    }
    return call(
        new RefreshResult(List.of(), 1, STOPPING),
        progress,
        task -> refresh(names, all, force, task));
  }

  private void refresh(List<String> names, boolean all, boolean force, FeedTask<RefreshResult> task)
      throws InterruptedException {
    List<Source> asked =
        all
            ? List.copyOf(parts.feeds().values())
            : names.isEmpty()
                ? dueNow()
                : names.stream()
                    .distinct()
                    .map(parts.feeds()::get)
                    .filter(Objects::nonNull)
                    .toList();
    waiting.add(asked, schedule.refusals(asked, force), task);
    List<Source> ready =
        asked.stream()
            .filter(s -> schedule.mayAsk(s, force) && !fetches.isUnderWay(s.name()))
            .toList();
    if (ready.isEmpty()) {
      waiting.settle("");
    } else {
      refreshNow(ready, force, false);
    }
  }

  /** Makes live what is held of a feed, for this Unix user; returns when it is live. */
  public ActResult accept(String name, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    return act(() -> choice.accept(name, by), progress);
  }

  /**
   * Makes an older version live and keeps the newer ones from coming back; returns when it is live.
   *
   * @param to number of a kept version, {@code null} for the one before
   */
  public ActResult rollback(
      String name, @Nullable Long to, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    return act(() -> choice.rollback(name, to, by), progress);
  }

  /**
   * Does here what was done on another node of a fleet; returns when it is live.
   *
   * @return a refusal when it cannot be done here, which is no fault: nodes hold other versions
   */
  public ActResult follow(OtherNodeAct act) throws InterruptedException {
    return act(() -> new FollowedActs(parts, archive, choice).carryOut(act), progress -> {});
  }

  private ActResult act(Supplier<ActResult> act, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    return call(
        ActResult.refused(STOPPING, ""),
        progress,
        task -> {
          ActResult result = ActResult.refused("it failed unexpectedly", "the log says why");
          try {
            result = act.get();
          } finally {
            task.end(result);
          }
        });
  }

  /**
   * Switches a feed on again; false when there is none of that name.
   *
   * @throws IOException when it is on and that cannot be written: a restart forgets it
   */
  public boolean enable(String name) throws IOException {
    return ages.pause(name, false, null);
  }

  /**
   * Switches a feed off: it is not fetched, and its listings do not count.
   *
   * @param time {@code null} until it is enabled again
   * @return false when there is no feed of that name
   * @throws IOException when it is off and that cannot be written: a restart forgets it
   */
  public boolean disable(String name, @Nullable Duration time) throws IOException {
    return ages.pause(name, true, time);
  }

  /** Names of the feeds that are switched off now. */
  public Set<String> disabledFeeds() {
    return ages.paused();
  }

  /** The status of each feed. */
  public FeedReports reports() {
    return reports;
  }

  /** The status of every feed of the settings, in file order. */
  public List<FeedStatus> list() {
    return parts.feeds().values().stream().map(reports::status).toList();
  }

  /** All that is known of a feed; empty when the settings have no feed of that name. */
  public Optional<FeedStatus.Details> show(String name) {
    return Optional.ofNullable(parts.feeds().get(name)).map(reports::details);
  }

  /**
   * Finds the changes that {@link #accept} would make where a whole version is held; nothing is
   * changed. Returns when both versions are read; one call at a time reads.
   *
   * @param shown entries that are named of what comes, and of what goes
   * @param maxEntries of both versions together; more are not compared
   */
  public HeldChanges heldChanges(String name, int shown, long maxEntries) {
    return KeptVersions.heldChanges(parts, archive, name, shown, maxEntries);
  }
}
