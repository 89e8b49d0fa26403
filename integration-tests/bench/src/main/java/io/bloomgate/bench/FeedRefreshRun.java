package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.blocklists.refresh.FleetFeeds;
import io.bloomgate.blocklists.refresh.RefreshParts;
import io.bloomgate.blocklists.senders.Breaker;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A large feed from a server on loopback to a live generation, on the way that the gateway takes:
 * fetched, stored, judged under all of {@code never_block}, built and proved. First as a new feed,
 * then with a hundredth of its entries changed. Argument: lines, half addresses and half names.
 */
public final class FeedRefreshRun {

  private final Path folder;
  private final int lines;
  private volatile Path served;

  private FeedRefreshRun(Path folder, int lines) throws IOException {
    this.folder = folder;
    this.lines = lines;
    this.served = write(0);
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    Path folder = Scratch.folder();
    try {
      new FeedRefreshRun(folder, Integer.parseInt(args[0])).run();
    } finally {
      Scratch.remove(folder);
    }
  }

  private void run() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    Settings settings = settings(server.getAddress().getPort());
    LiveSnapshot live = new LiveSnapshot();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        FeedSources sources = new FeedSources(executor, System::nanoTime, InstantSource.system());
        SnapshotStore store =
            SnapshotStore.open(
                folder.resolve("snapshots"),
                new SnapshotBuilder(new SecureRandom()),
                InstantSource.system(),
                FeedRefreshRun::say)) {
      refreshTwice(refresher(settings, executor, sources, store, live), live);
    } finally {
      server.stop(0);
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private void refreshTwice(FeedLoop opened, LiveSnapshot live) throws Exception {
    Thread loop = Thread.ofPlatform().name("feed-refresher").start(opened);
    try (FeedLoop refresher = opened) {
      String name = "refresh/" + Figures.size(lines);
      refresh(refresher, live, name + "/first");
      served = write(1);
      refresh(refresher, live, name + "/changed");
    }
    loop.join();
  }

  private static FeedLoop refresher(
      Settings settings,
      ExecutorService executor,
      FeedSources sources,
      SnapshotStore store,
      LiveSnapshot live)
      throws IOException {
    List<ProtectedSet> protectedSets =
        ProtectedSet.of(settings.allow().neverBlock(), List.of(), List.of(), settings.domains());
    KnownSenders senders =
        KnownSenders.open(settings.stateDir().resolve(KnownSenders.FILE_NAME), FeedRefreshRun::say);
    FeedStates states = FeedStates.open(settings.stateDir(), FeedRefreshRun::say);
    Breaker breaker = new Breaker(states, FeedRefreshRun::say);
    return FeedLoop.open(
        new RefreshParts(
            settings.stateDir(),
            states,
            new RefreshParts.Rules(
                () -> settings,
                () -> protectedSets,
                List::of,
                new KnownGood.Reader((_, _) -> KnownGood.NONE, _ -> ""),
                () -> Publishers.NONE),
            new RefreshParts.Fetching(sources, FleetFeeds.NONE, executor),
            new RefreshParts.Lists(store, live),
            new RefreshParts.Time(
                InstantSource.system(), InstantSource.system(), new SecureRandom()),
            new RefreshParts.GoodMail(senders, breaker),
            new RefreshParts.Operator(feed -> 0, FeedRefreshRun::say, () -> {})));
  }

  private void refresh(FeedLoop refresher, LiveSnapshot live, String figure) throws Exception {
    long before = live.current().generation();
    long worked = cpu();
    long start = System.nanoTime();
    RefreshResult result = refresher.refresh(List.of("big"), false, true, step -> {});
    double seconds = (System.nanoTime() - start) / 1e9;
    ListAnswer answer = live.current().ask(SnapshotEntries.name(lines / 2 - 1));
    if (result.exitCode() != 0
        || live.current().generation() == before
        || !(answer instanceof ListAnswer.Listed)) {
      throw new IllegalStateException(result + " " + answer);
    }
    Figures.add(figure + "/s", seconds);
    Figures.add(figure + "/cpu-s", (cpu() - worked) / 1e9);
  }

  /** Time on all cores, compiler and collector included. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Settings settings(int port) {
    String yaml =
        """
        domains: [own.example]
        downstream: {host: 192.0.2.25}
        state_dir: %s
        feeds:
          sources:
            big: {url: "http://127.0.0.1:%d/big.txt", format: lines, every: 1h}
        """
            .formatted(folder, port);
    return switch (SettingsFile.parse("bench", yaml, Map.of(), () -> "mx.example")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid invalid ->
          throw new IllegalStateException(invalid.problems().toString());
    };
  }

  /** Writes a version of the feed: a hundredth of its addresses is of this version alone. */
  private Path write(int version) throws IOException {
    Path text = folder.resolve("big-" + version + ".txt");
    int moved = version * (lines / 200);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(text), 1 << 16)) {
      for (int i = 0; i < lines / 2; i++) {
        out.write((host(i + moved) + "\n" + SnapshotEntries.name(i) + "\n").getBytes(US_ASCII));
      }
    }
    return text;
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, Files.size(served));
    try (OutputStream out = exchange.getResponseBody()) {
      Files.copy(served, out);
    }
  }

  /** All lie where nothing is reserved; few numbers have the same. */
  private static String host(int number) {
    int bits = Integer.reverse(number * 0x9e37_79b1);
    int first = 11 + Math.floorMod(bits >>> 24, 89);
    return first + "." + (bits >>> 16 & 0xff) + "." + (bits >>> 8 & 0xff) + "." + (bits & 0xff);
  }
}
