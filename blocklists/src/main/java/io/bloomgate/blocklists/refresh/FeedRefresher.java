package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fleet.published.LiveVersion;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
  private final HeldComparison comparison;
  private final DueFeeds due;
  private final FeedPauses pauses;
  private final OperatorChoice choice;
  private final FeedAges ages;
  private final RunningFetches fetches;
  private final Duration patience;
  private final BlockingQueue<RefresherTask> tasks = new LinkedBlockingQueue<>();

  private final WaitingRefreshes waiting;

  private final RebuildSchedule rebuilds;
  private volatile boolean stopped;

  /** The time when the current work began; {@code null} while nothing is done. */
  private volatile @Nullable Instant workBegan;

  private FeedRefresher(RefreshParts parts, FeedFiles files, Duration patience) {
    this.parts = parts;
    this.files = files;
    this.archive =
        new FeedArchive(
            files, parts.states(), () -> parts.live().current().manifest(), parts.alarm());
    this.publisher = new ListPublisher(parts, files, archive);
    this.rebuilds = new RebuildSchedule(parts, publisher);
    PublisherIntervals intervals =
        new PublisherIntervals(
            parts.publishers(), parts.fleet()::covers, parts.clock(), parts.steady()::even);
    sources().values().forEach(s -> intervals.remember(s, archive.get(s.name()).times().attempt()));
    this.schedule = new FeedSchedule(parts.random(), intervals);
    this.pauses = new FeedPauses(parts, archive);
    this.choice = new OperatorChoice(parts, files, archive, publisher);
    this.ages = new FeedAges(parts, archive);
    this.fetches =
        new RunningFetches(parts.fetches(), intervals, () -> tasks.add(new RefresherTask.Wake()));
    this.patience = patience;
    this.due = new DueFeeds(parts, files, archive, intervals);
    this.reports = new FeedReports(parts, files, archive);
    this.comparison = new HeldComparison(parts, files, archive);
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
    new Takeover(parts, files, refresher.archive)
        .begin(refresher.ages, refresher.rebuilds, refresher.due);
    return refresher;
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
        Duration sleep = rest.isZero() ? due.sleep() : rest;
        rest = Duration.ZERO;
        workBegan = null;
        RefresherTask task = tasks.poll(sleep.toMillis(), TimeUnit.MILLISECONDS);
        workBegan = parts.steady().even();
        if (task != null && !stopped) {
          carryOut(task);
        }
      } catch (InterruptedException e) {
        stopped = true;
      } catch (RuntimeException | Error e) {
        // Without this thread every list would age unseen.
        rest = FAULT_REST;
        LOG.error("the refresh of feeds failed unexpectedly", e);
        parts.alarm().accept("the refresh of feeds failed unexpectedly, see the log");
        waiting.settle(fetches::isUnderWay, "the refresh failed unexpectedly, see the log");
      }
    }
    for (RefresherTask left = tasks.poll(); left != null; left = tasks.poll()) {
      left.refuse(stopping(), ActResult.refused(STOPPING, ""));
    }
    waiting.giveUp(STOPPING);
  }

  /** True when one piece of work takes longer than the largest lists do. */
  public boolean isLate() {
    Instant began = workBegan;
    return began != null && parts.steady().even().isAfter(began.plus(LATE));
  }

  private void carryOut(RefresherTask task) throws InterruptedException {
    switch (task) {
      case RefresherTask.Wake() -> {}
      case RefresherTask.Refresh refresh -> serve(refresh);
      case RefresherTask.Switch wanted -> wanted.carryOut();
    }
  }

  /** Ends the loop; a build that is running is finished or discarded, never live in part. */
  @Override
  public void close() {
    stopped = true;
    tasks.add(new RefresherTask.Wake());
  }

  /** The settings were reloaded: feeds may have come or gone, rules changed. */
  public void settingsChanged() {
    rebuilds.settingsChanged();
    tasks.add(new RefresherTask.Wake());
  }

  /** The leader of the fleet has other versions, has gone, or is back. */
  public void fleetChanged() {
    tasks.add(new RefresherTask.Wake());
  }

  /** The live version of each feed, for a fleet; asked on its thread. */
  public List<LiveVersion> liveVersions() {
    return new LiveVersions(parts, files, archive).now();
  }

  /** Another generation is live than was published: it may not be of the versions of today. */
  public void listsReplaced() {
    rebuilds.listsReplaced();
    tasks.add(new RefresherTask.Wake());
  }

  /** One look at the clock and the files: refreshes what is due. On the refresher's thread. */
  public void tick() throws InterruptedException {
    ages.look();
    pauses.endThoseOver();
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
    return due.now().stream().filter(s -> !fetches.isUnderWay(s.name())).toList();
  }

  private void refreshNow(List<Source> sources, boolean force, boolean rebuild)
      throws InterruptedException {
    refreshNow(sources, rebuilds.takeReading() ? sources().values() : List.of(), force, rebuild);
  }

  private void refreshNow(
      List<Source> sources, Collection<Source> again, boolean force, boolean rebuild)
      throws InterruptedException {
    sources.forEach(due::tried);
    RefreshRun run =
        new RefreshRun(parts, files, archive, publisher, schedule, fetches, waiting::report);
    if (!run.refresh(sources, again, force, rebuild, patience)) {
      rebuilds.failed();
    }
    waiting.settle(fetches::isUnderWay, "");
  }

  private Map<String, Source> sources() {
    return parts.settings().get().feeds().sources();
  }

  @Override
  public RefreshResult refresh(
      List<String> names, boolean all, boolean force, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    for (String name : names) {
      if (!sources().containsKey(name)) {
        return new RefreshResult(
            List.of(),
            2,
            "there is no feed "
                + name
                + " in the settings in force; if you just added it: `bloomgate config reload`");
      }
    }
    RefreshRequest<RefreshResult> request = new RefreshRequest<>();
    tasks.add(new RefresherTask.Refresh(names, all, force, request));
    return request.await(progress, () -> stopped, stopping());
  }

  /** Carries out a request on the refresher's thread. */
  private void serve(RefresherTask.Refresh task) throws InterruptedException {
    List<Source> asked = task.asked(sources(), this::dueNow);
    waiting.add(asked, due.refusals(asked, task.force()), task.request());
    List<Source> ready =
        asked.stream()
            .filter(s -> due.mayAsk(s, task.force()) && !fetches.isUnderWay(s.name()))
            .toList();
    if (ready.isEmpty()) {
      waiting.settle(fetches::isUnderWay, "");
    } else {
      refreshNow(ready, task.force(), false);
    }
  }

  /** Carries out a refresh on the caller's thread, where no loop runs: for tests. */
  public RefreshResult refreshHere(List<String> names, boolean all, boolean force)
      throws InterruptedException {
    RefreshRequest<RefreshResult> request = new RefreshRequest<>();
    serve(new RefresherTask.Refresh(names, all, force, request));
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

  private ActResult wait(RefresherTask.Choice act, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    RefreshRequest<ActResult> request = new RefreshRequest<>();
    tasks.add(new RefresherTask.Switch(act, request));
    return request.await(progress, () -> stopped, ActResult.refused(STOPPING, ""));
  }

  /** The same on the caller's thread, where no loop runs: for tests. */
  ActResult actHere(OperatorChoice.Act act) {
    return choice.carryOut(act);
  }

  private RefreshResult stopping() {
    return waiting.ended(List.of(), STOPPING, "");
  }

  @Override
  public boolean enable(String name) throws IOException {
    return pauses.enable(name);
  }

  @Override
  public boolean disable(String name, @Nullable Duration time) throws IOException {
    return pauses.disable(name, time);
  }

  /** Names of the feeds that are switched off now. */
  public Set<String> disabledFeeds() {
    return pauses.now();
  }

  /**
   * The time when each feed was last found current, for ageing; feeds that never were are missing.
   */
  public Map<String, Instant> lastSuccess() {
    return reports.lastSuccess();
  }

  /**
   * The time since which each feed has versions that are held; feeds without such a version are
   * missing.
   */
  public Map<String, Instant> heldSince() {
    return reports.heldSince();
  }

  /** The number of tries in a row without success, by feed. */
  public Map<String, Integer> failures() {
    return reports.failures();
  }

  /** Names of feeds whose live version is older than one that was rolled back. */
  public List<String> rolledBack() {
    return reports.rolledBack();
  }

  @Override
  public List<FeedStatus> list() {
    return sources().values().stream().map(reports::status).toList();
  }

  @Override
  public Optional<FeedStatus.Details> show(String name) {
    return Optional.ofNullable(sources().get(name)).map(reports::details);
  }

  @Override
  public HeldChanges heldChanges(String name, int shown, long maxEntries) {
    return comparison.of(name, shown, maxEntries);
  }
}
