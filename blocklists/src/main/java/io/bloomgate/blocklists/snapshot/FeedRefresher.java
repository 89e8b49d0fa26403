package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
 * threads. Everything that is fetched, judged or built happens aside; sessions see the one step
 * from one generation to the next.
 */
public final class FeedRefresher implements Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FeedRefresher.class);

  /** Time until a build that failed is tried again without a new version. */
  private static final Duration BUILD_RETRY = Duration.ofMinutes(1);

  /** Silence after which a waiting client is told that work goes on. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(3);

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;
  private final FeedBuild build;
  private final FeedSchedule schedule;
  private final FeedReports reports;
  private final DueFeeds due;
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private volatile boolean stopped;
  private volatile boolean checkBuild = true;
  private @Nullable Instant nextBuild;

  /** A refresh that somebody waits for. */
  private record Request(
      List<String> names, boolean all, boolean force, BlockingQueue<Event> events) {}

  /** What a waiting client hears. */
  private sealed interface Event {
    record Going(RefreshProgress progress) implements Event {}

    record Ended(RefreshResult result) implements Event {}
  }

  private FeedRefresher(RefreshParts parts, FeedStore store) {
    this.parts = parts;
    this.store = store;
    this.book = new FeedBook(store, parts.alarm());
    this.build = new FeedBuild(parts, store, book);
    this.schedule = new FeedSchedule(parts.random());
    this.due = new DueFeeds(parts, store, book);
    this.reports = new FeedReports(store, book, parts.live(), parts.clock(), parts.hits());
  }

  /**
   * Opens the stored feeds and makes the last generation live, without network. The caller then
   * runs this object on the feed-refresher thread.
   *
   * @throws IOException when the state directory cannot be used
   */
  public static FeedRefresher open(RefreshParts parts) throws IOException {
    FeedStore store = FeedStore.open(parts.stateDir().resolve("feeds"));
    parts.live().publish(parts.snapshots().load());
    FeedRefresher refresher = new FeedRefresher(parts, store);
    refresher.adoptPublished();
    return refresher;
  }

  /**
   * A version that went live right before the process was killed is in the generation and not yet
   * in the record.
   */
  private void adoptPublished() throws IOException {
    for (FeedCounts feed : parts.live().current().manifest().feeds()) {
      if (!parts.settings().get().feeds().sources().containsKey(feed.name())
          || !feed.version().matches("[0-9]{1,18}")) {
        continue;
      }
      long published = Long.parseLong(feed.version());
      Optional<FeedVersion> version = store.version(feed.name(), published);
      if (published > book.get(feed.name()).live() && version.isPresent()) {
        Instant fetched = version.get().fetched();
        book.update(
            feed.name(),
            r ->
                r.ended(
                    FeedRecord.Outcome.FRESH,
                    "",
                    published,
                    0,
                    r.times().succeeded(fetched, fetched, true)));
      }
    }
  }

  /** The loop of the feed-refresher thread; ends after {@link #close}. */
  @Override
  public void run() {
    while (!stopped) {
      try {
        tick();
        Request request = requests.poll(due.sleep().toMillis(), TimeUnit.MILLISECONDS);
        if (request != null && !stopped) {
          serve(request);
        }
      } catch (InterruptedException e) {
        stopped = true;
      } catch (RuntimeException e) {
        LOG.error("the refresh of feeds failed unexpectedly", e);
        parts.alarm().accept("the refresh of feeds failed unexpectedly, see the log");
      }
    }
    for (Request left = requests.poll(); left != null; left = requests.poll()) {
      left.events.add(new Event.Ended(ended(List.of(), "the gateway is stopping")));
    }
  }

  /** Ends the loop; a build that is under way is finished or thrown away, never half live. */
  @Override
  public void close() {
    stopped = true;
    requests.add(new Request(List.of(), false, false, new LinkedBlockingQueue<>()));
  }

  /** The settings were reloaded: feeds may have come or gone, rules changed. */
  public void settingsChanged() {
    checkBuild = true;
    requests.add(new Request(List.of(), false, false, new LinkedBlockingQueue<>()));
  }

  /** One look at the clock and the files: refreshes what is due. On the refresher's thread. */
  void tick() throws InterruptedException {
    endPauses();
    boolean rebuild = rebuildIsDue();
    if (rebuild && parts.live().current().generation() == 0) {
      // Nothing is live: what is stored goes live before any server is waited for.
      refreshNow(List.of(), false, true, progress -> {});
      rebuild = false;
    }
    List<Source> sources = due.now();
    if (!sources.isEmpty() || rebuild) {
      refreshNow(sources, false, rebuild, progress -> {});
    }
  }

  private void refreshNow(
      List<Source> sources, boolean force, boolean rebuild, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    sources.forEach(due::tried);
    FeedRun run = new FeedRun(parts, store, book, build, schedule, progress);
    boolean published = run.refresh(sources, force, rebuild);
    nextBuild = published ? null : parts.clock().instant().plus(BUILD_RETRY);
  }

  private boolean rebuildIsDue() {
    Instant retry = nextBuild;
    if (retry != null && !parts.clock().instant().isBefore(retry)) {
      nextBuild = null;
      checkBuild = true;
    }
    if (!checkBuild) {
      return false;
    }
    checkBuild = false;
    try {
      return build.isNeeded();
    } catch (IOException e) {
      parts.alarm().accept("the stored feeds cannot be read: " + e.getMessage());
      nextBuild = parts.clock().instant().plus(BUILD_RETRY);
      return false;
    }
  }

  private Map<String, Source> sources() {
    return parts.settings().get().feeds().sources();
  }

  /**
   * {@code feeds refresh}: returns when the new generation is live or refused. Blocks a control
   * thread; progress is told on that thread.
   *
   * @param names feeds; none and not {@code all}: those that are due
   * @param force also where the server asked to stay away, and without validators; never past a
   *     guard
   */
  public RefreshResult refresh(
      List<String> names, boolean all, boolean force, Consumer<RefreshProgress> progress)
      throws InterruptedException {
    for (String name : names) {
      if (!sources().containsKey(name)) {
        return new RefreshResult(List.of(), 2, "there is no feed of that name in the settings");
      }
    }
    Request request = new Request(names, all, force, new LinkedBlockingQueue<>());
    requests.add(request);
    while (true) {
      Event event = request.events.poll(SIGN_OF_LIFE.toMillis(), TimeUnit.MILLISECONDS);
      switch (event) {
        case null -> {
          if (stopped) {
            return ended(List.of(), "the gateway is stopping");
          }
          progress.accept(
              new RefreshProgress("working", JsonValue.object().put("step", "working").build()));
        }
        case Event.Going(RefreshProgress step) -> progress.accept(step);
        case Event.Ended(RefreshResult result) -> {
          return result;
        }
      }
    }
  }

  /** Carries out a request on the refresher's thread. */
  private void serve(Request request) throws InterruptedException {
    List<Source> asked = asked(request);
    RefreshResult result = ended(List.of(), "the refresh failed unexpectedly, see the log");
    try {
      List<Source> ready = asked.stream().filter(s -> due.mayAsk(s, request.force)).toList();
      if (!ready.isEmpty()) {
        refreshNow(ready, request.force, false, step -> request.events.add(new Event.Going(step)));
      }
      result = ended(asked, "");
    } finally {
      request.events.add(new Event.Ended(result));
    }
  }

  /** Carries out a refresh on the caller's thread, where no loop runs: for tests. */
  RefreshResult refreshHere(List<String> names, boolean all, boolean force)
      throws InterruptedException {
    Request request = new Request(names, all, force, new LinkedBlockingQueue<>());
    serve(request);
    RefreshResult result = null;
    for (Event event : request.events) {
      if (event instanceof Event.Ended(RefreshResult last)) {
        result = last;
      }
    }
    return Objects.requireNonNull(result);
  }

  private List<Source> asked(Request request) {
    if (request.all) {
      return List.copyOf(sources().values());
    }
    return request.names.isEmpty()
        ? due.now()
        : new LinkedHashSet<>(request.names)
            .stream().map(sources()::get).filter(Objects::nonNull).toList();
  }

  private RefreshResult ended(List<Source> asked, String trouble) {
    List<JsonObject> lines = asked.stream().map(reports::line).toList();
    long current =
        asked.stream()
            .map(reports::state)
            .filter(s -> s == FeedState.FRESH || s == FeedState.UNCHANGED)
            .count();
    int exitCode = trouble.isEmpty() && current == asked.size() ? 0 : current > 0 ? 4 : 1;
    return new RefreshResult(lines, exitCode, trouble);
  }

  /** Switches a feed on again; false when there is none of that name. */
  public boolean enable(String name) {
    return pause(name, FeedRecord.Pause.NONE);
  }

  /**
   * Switches a feed off: it is not fetched, and its listings do not count.
   *
   * @param time {@code null} until it is enabled again
   */
  public boolean disable(String name, @Nullable Duration time) {
    Instant until = time == null ? null : parts.clock().instant().plus(time);
    return pause(name, new FeedRecord.Pause(true, until));
  }

  private boolean pause(String name, FeedRecord.Pause pause) {
    if (!sources().containsKey(name)) {
      return false;
    }
    book.update(name, r -> r.with(pause));
    parts.disabledChanged().run();
    return true;
  }

  private void endPauses() {
    Instant now = parts.clock().instant();
    boolean changed = false;
    for (String name : sources().keySet()) {
      FeedRecord.Pause pause = book.get(name).pause();
      if (pause.disabled() && !pause.holdsAt(now)) {
        book.update(name, r -> r.with(FeedRecord.Pause.NONE));
        changed = true;
      }
    }
    if (changed) {
      parts.disabledChanged().run();
    }
  }

  /** Names of the feeds that are switched off now. */
  public Set<String> disabledFeeds() {
    Instant now = parts.clock().instant();
    Set<String> disabled = new LinkedHashSet<>();
    for (String name : sources().keySet()) {
      if (book.get(name).pause().holdsAt(now)) {
        disabled.add(name);
      }
    }
    return disabled;
  }

  /** When each feed was last found current, for ageing; feeds that never were are missing. */
  public Map<String, Instant> lastSuccess() {
    Map<String, Instant> times = new LinkedHashMap<>();
    for (String name : sources().keySet()) {
      Instant success = book.get(name).times().success();
      if (success != null) {
        times.put(name, success);
      }
    }
    return times;
  }

  /** When new content of each feed last went live; feeds that never had any are missing. */
  public Map<String, Instant> lastChange() {
    Map<String, Instant> times = new LinkedHashMap<>();
    for (String name : sources().keySet()) {
      Instant change = book.get(name).times().change();
      if (change != null) {
        times.put(name, change);
      }
    }
    return times;
  }

  /** How each feed stands, in file order. */
  public Map<String, FeedState> states() {
    Map<String, FeedState> states = new LinkedHashMap<>();
    sources().values().forEach(s -> states.put(s.name(), reports.state(s)));
    return states;
  }

  /** The objects of {@code feeds list}, in file order. */
  public List<JsonObject> list() {
    return sources().values().stream().map(reports::line).toList();
  }

  /** The object of {@code feeds show NAME}, if there is a feed of that name. */
  public Optional<JsonObject> show(String name) {
    return Optional.ofNullable(sources().get(name)).map(reports::show);
  }
}
