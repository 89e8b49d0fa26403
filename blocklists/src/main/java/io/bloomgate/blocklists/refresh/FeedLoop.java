package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fleet.published.LiveVersion;
import io.bloomgate.blocklists.refresh.FeedSchedule.RebuildSchedule;
import io.bloomgate.blocklists.refresh.RefreshRequest.WaitingRefreshes;
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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lists current: the body of the one feed-refresher thread, and what the control server
 * asks of it.
 *
 * <p>{@link #run} is the thread's loop: it refreshes what is due, rebuilds when the settings ask
 * for it, and carries out requested refreshes one after the other, so that two at once never mix.
 * {@link #refresh}, {@link #enable}, {@link #disable} and the reports are called on control
 * threads. Sessions see nothing of what is fetched, judged or built, but the one step from one
 * generation to the next.
 */
public final class FeedRefresher implements FeedCommands, Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedRefresher.class);

  /** Rest after a fault that nothing foresaw, so that it does not fill the log or ask servers. */
  private static final Duration FAULT_REST = Duration.ofMinutes(1);

  /** Ten million entries are built in seconds; guards and disks may be slower. */
  private static final Duration LATE = Duration.ofMinutes(30);

  private static final String STOPPING = "the gateway is stopping";

  /** The time that the feeds that are ready wait for a slow one before they go live without it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;
  private final ListPublisher publisher;
  private final FeedSchedule schedule;
  private final FeedReports reports;
  private final OperatorChoice choice;
  private final FeedAges ages;
  private final RunningFetches fetches;
  private final Duration patience;
  private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
  private final WaitingRefreshes waiting;
  private final RebuildSchedule rebuilds;
  private volatile boolean stopped;

  /** The time when the current work began; {@code null} while nothing is done. */
  private volatile @Nullable Instant workBegan;

  /** A step of the loop, put into the queue by control threads and by fetches that end. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  /** A step, and the answer to the command that waits, where the loop ends before. */
  private record Task(Step step, Runnable refuse) {
    static final Task WAKE = new Task(() -> {}, () -> {});
  }

  private FeedRefresher(RefreshParts parts, FeedFiles files, Duration patience) {
    this.parts = parts;
    this.files = files;
    this.archive = new FeedArchive(files, parts.states(), parts::manifest, parts.alarm());
    this.publisher = new ListPublisher(parts, files, archive);
    this.rebuilds = new RebuildSchedule(parts, publisher);
    PublisherIntervals intervals =
        new PublisherIntervals(
            parts.publishers(), parts.fleet()::covers, parts.clock(), parts.steady()::even);
    parts
        .feeds()
        .values()
        .forEach(s -> intervals.remember(s, archive.get(s.name()).times().attempt()));
    this.schedule = new FeedSchedule(parts, files, archive, intervals);
    this.choice = new OperatorChoice(parts, files, archive, publisher);
    this.ages = new FeedAges(parts, archive);
    this.fetches = new RunningFetches(parts.fetches(), intervals, this::wake);
    this.patience = patience;
    this.reports = new FeedReports(parts, files, archive);
    this.waiting = new WaitingRefreshes(reports);
  }

  /**
   * Opens the stored feeds and makes the last generation live, without network. The caller then
   * runs this object on the feed-refresher thread.
   *
   * @throws IOException when the state directory cannot be used
   */
  public static FeedRefresher open(RefreshParts parts) throws IOException {
    return open(parts, PATIENCE);
  }

  static FeedRefresher open(RefreshParts parts, Duration patience) throws IOException {
    FeedFiles files = FeedFiles.open(parts.stateDir().resolve("feeds"));
    parts.live().publish(parts.snapshots().load());
    FeedRefresher refresher = new FeedRefresher(parts, files, patience);
    refresher.publisher.noteLive(Set.of());
    refresher.begin();
    return refresher;
  }

  /** Begins behind a process that may have ended in its work: it is not done again at once. */
  private void begin() {
    ages.moveBack();
    if (parts.snapshots().foundUnfinished()) {
      rebuilds.rest();
    }
    for (Source source : parts.feeds().values()) {
      FeedRecord record = archive.get(source.name());
      if (record.outcome() == FeedRecord.Outcome.ENDED) {
        LOG.warn("feed {}: {}", source.name(), record.problem());
        schedule.tried(source);
      }
      try {
        files.clear(source.name(), id -> id == record.live() || id == record.held());
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
        workBegan = parts.steady().even();
        if (rest.isZero()) {
          tick();
        }
        Duration sleep = rest.isZero() ? schedule.sleep() : rest;
        rest = Duration.ZERO;
        workBegan = null;
        Task task = tasks.poll(sleep.toMillis(), TimeUnit.MILLISECONDS);
        workBegan = parts.steady().even();
        if (task != null && !stopped) {
          task.step.run();
        }
      } catch (InterruptedException e) {
        stopped = true;
      } catch (RuntimeException | Error e) {
        // Without this thread every list would age unseen.
        rest = FAULT_REST;
        LOG.error("the refresh of feeds failed unexpectedly", e);
        parts.raise("the refresh of feeds failed unexpectedly, see the log");
        waiting.settle(fetches::isUnderWay, "the refresh failed unexpectedly, see the log");
      }
    }
    for (Task left = tasks.poll(); left != null; left = tasks.poll()) {
      left.refuse.run();
    }
    waiting.giveUp(STOPPING);
  }

  /** True when one piece of work takes longer than the largest lists do. */
  public boolean isLate() {
    Instant began = workBegan;
    return began != null && parts.steady().even().isAfter(began.plus(LATE));
  }

  /** Ends the loop; a build that is running is finished or discarded, never live in part. */
  @Override
  public void close() {
    stopped = true;
    wake();
  }

  private void wake() {
    tasks.add(Task.WAKE);
  }

  /** The settings were reloaded: feeds may have come or gone, rules changed. */
  public void settingsChanged() {
    rebuilds.settingsChanged();
    wake();
  }

  /** The leader of the fleet has other versions, has gone, or is back. */
  public void fleetChanged() {
    wake();
  }

  /** The live version of each feed, for a fleet; asked on its thread. */
  public List<LiveVersion> liveVersions() {
    return reports.liveVersions();
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
    if (rebuild && parts.live().current().generation() == 0) {
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
    refreshNow(
        sources, rebuilds.takeReading() ? parts.feeds().values() : List.of(), force, rebuild);
  }

  private void refreshNow(
      List<Source> sources, Collection<Source> again, boolean force, boolean rebuild)
      throws InterruptedException {
    sources.forEach(schedule::tried);
    RefreshRun run =
        new RefreshRun(parts, files, archive, publisher, schedule, fetches, waiting::report);
    if (!run.refresh(sources, again, force, rebuild, patience)) {
      rebuilds.failed();
    }
    waiting.settle(fetches::isUnderWay, "");
  }

  @Override
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
    RefreshRequest<RefreshResult> request = new RefreshRequest<>();
    RefreshResult stopping = WaitingRefreshes.ended(STOPPING);
    tasks.add(new Task(() -> serve(names, all, force, request), () -> request.ended(stopping)));
    return request.await(progress, () -> stopped, stopping);
  }

  /** Carries out a request on the refresher's thread. */
  private void serve(
      List<String> names, boolean all, boolean force, RefreshRequest<RefreshResult> request)
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
    waiting.add(asked, schedule.refusals(asked, force), request);
    List<Source> ready =
        asked.stream()
            .filter(s -> schedule.mayAsk(s, force) && !fetches.isUnderWay(s.name()))
            .toList();
    if (ready.isEmpty()) {
      waiting.settle(fetches::isUnderWay, "");
    } else {
      refreshNow(ready, force, false);
    }
  }

  /** Carries out a refresh on the caller's thread, where no loop runs: for tests. */
  public RefreshResult refreshHere(List<String> names, boolean all, boolean force)
      throws InterruptedException {
    RefreshRequest<RefreshResult> request = new RefreshRequest<>();
    serve(names, all, force, request);
    RefreshResult result = request.result();
    while (result == null) {
      fetches.awaitAny(patience);
      refreshNow(List.of(), false, false);
      result = request.result();
    }
    return result;
  }

  @Override
  public ActResult accept(String name, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    return wait(() -> choice.carryOut(new OperatorChoice.Act.Accept(name, by)), progress);
  }

  @Override
  public ActResult rollback(
      String name, @Nullable Long to, String by, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    return wait(() -> choice.carryOut(new OperatorChoice.Act.Rollback(name, to, by)), progress);
  }

  @Override
  public ActResult follow(OtherNodeAct act) throws InterruptedException {
    return wait(() -> followHere(act), progress -> {});
  }

  /** The same on the caller's thread, where no loop runs: for tests. */
  ActResult followHere(OtherNodeAct act) throws InterruptedException {
    return new FollowedActs(
            parts,
            files,
            archive,
            choice,
            source -> refreshNow(List.of(), List.of(source), false, false))
        .carryOut(act);
  }

  /** An act of the operator; the command gets its end in any case. */
  @FunctionalInterface
  private interface Act {
    ActResult carryOut() throws InterruptedException;
  }

  private ActResult wait(Act act, Consumer<RefreshProgress> progress) throws InterruptedException {
    RefreshRequest<ActResult> request = new RefreshRequest<>();
    ActResult stopping = ActResult.refused(STOPPING, "");
    Step step =
        () -> {
          ActResult result = ActResult.refused("it failed unexpectedly", "the log says why");
          try {
            result = act.carryOut();
          } finally {
            request.ended(result);
          }
        };
    tasks.add(new Task(step, () -> request.ended(stopping)));
    return request.await(progress, () -> stopped, stopping);
  }

  /** The same on the caller's thread, where no loop runs: for tests. */
  ActResult actHere(OperatorChoice.Act act) {
    return choice.carryOut(act);
  }

  @Override
  public boolean enable(String name) throws IOException {
    return ages.pause(name, false, null);
  }

  @Override
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

  @Override
  public List<FeedStatus> list() {
    return parts.feeds().values().stream().map(reports::status).toList();
  }

  @Override
  public Optional<FeedStatus.Details> show(String name) {
    return Optional.ofNullable(parts.feeds().get(name)).map(reports::details);
  }

  @Override
  public HeldChanges heldChanges(String name, int shown, long maxEntries) {
    return KeptVersions.heldChanges(parts, files, archive, name, shown, maxEntries);
  }
}
