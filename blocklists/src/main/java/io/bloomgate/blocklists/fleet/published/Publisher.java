package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Delta;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Feed;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Rank;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's side: writes the texts of the versions that are live, what changed since the last
 * ones, and last a signed manifest. Belongs to the fleet's thread.
 */
final class Publisher {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  /** Files of this number of different manifests are kept for followers that are just reading. */
  private static final int KEPT = 3;

  private final PublishedFolder folder;
  private final PrivateKey key;
  private final Path work;
  private final Counter counter;
  private final long mostLines;

  /** What was published of each version, by number: its text need not be read again. */
  private final Map<String, Numbered> known = new HashMap<>();

  private final Deque<Set<String>> named = new ArrayDeque<>();
  private Map<String, Feed> last = Map.of();
  private long term = -1;

  private record Numbered(long number, Feed feed) {}

  /** What a text is. */
  private record Text(String sha256, List<Long> parts, Path file) {}

  /**
   * @param work an empty folder of the state directory
   */
  Publisher(Path target, PrivateKey key, Path work, Counter counter) {
    this.folder = new PublishedFolder(target);
    this.key = key;
    this.work = work;
    this.counter = counter;
    long heap = Runtime.getRuntime().maxMemory();
    this.mostLines = (long) (heap * FleetLimits.HEAP_FOR_LINES) / (2 * Integer.BYTES);
  }

  /** What this folder says; what another program wrote there counts as nothing. */
  private Optional<FleetManifest> published() throws IOException {
    Path file = folder.root().resolve(FleetManifest.NAME);
    try {
      byte[] octets = folder.read(FleetManifest.NAME, FleetLimits.MANIFEST_OCTETS);
      byte[] signature = folder.read(FleetManifest.SIGNATURE, FleetLimits.SIGNATURE_OCTETS);
      // Ed25519 gives one signature of the same octets: equal is right.
      if (!Arrays.equals(signature, FleetKeys.sign(key, octets))) {
        LOG.warn("{} is not signed by fleet.private_key; it is written again", file);
        return Optional.empty();
      }
      return Optional.of(FleetManifest.read(octets));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (FleetManifest.UnusableException | DamagedFileException e) {
      LOG.warn("{} is written again: {}", file, e.getMessage());
      return Optional.empty();
    }
  }

  /** Another node may have published since: what is there now is what comes before. */
  private void begin(long newTerm) throws IOException {
    known.clear();
    named.clear();
    last = Map.of();
    Optional<FleetManifest> before = published();
    if (before.isPresent()) {
      last = byName(before.get().feeds());
      remember(before.get().feeds());
    }
    term = newTerm;
  }

  /** A leader that was replaced and has not noticed it writes nothing over what is newer. */
  private void checkLease(long ownTerm) throws IOException {
    Optional<FleetManifest> there = published();
    if (there.isEmpty()) {
      return;
    }
    if (there.get().rank().isOfLaterLease(new Rank(ownTerm, 0))) {
      throw new IOException(
          "node %s leads with lease %d, and lease %d of this node has ended"
              .formatted(there.get().node(), there.get().rank().term(), ownTerm));
    }
    counter.raise(there.get().rank());
  }

  private static Map<String, Feed> byName(List<Feed> feeds) {
    Map<String, Feed> map = new HashMap<>();
    feeds.forEach(feed -> map.put(feed.name(), feed));
    return map;
  }

  /**
   * Publishes what is live.
   *
   * @param ownTerm number of the lease that this node holds; 0 where the settings name the leader
   * @param now of the clock
   * @param every how often this is called at least
   */
  void publish(List<LiveVersion> live, long ownTerm, String node, Instant now, Duration every)
      throws IOException {
    folder.prepare();
    counter.check();
    checkLease(ownTerm);
    if (ownTerm != term) {
      begin(ownTerm);
    }
    List<Feed> feeds = new ArrayList<>();
    for (LiveVersion version : live) {
      feed(version).ifPresent(feeds::add);
    }
    byte[] octets = new FleetManifest(counter.next(ownTerm, now), now, node, every, feeds).octets();
    if (octets.length > FleetLimits.MANIFEST_OCTETS || feeds.size() > FleetLimits.FEEDS) {
      throw new IOException("there are more feeds than a manifest has room for");
    }
    byte[] signature = FleetKeys.sign(key, octets);
    folder.put(FleetManifest.SIGNATURE, signature);
    folder.put(FleetManifest.NAME, octets);
    last = byName(feeds);
    known.keySet().retainAll(last.keySet());
    remember(feeds);
  }

  private void remember(List<Feed> feeds) throws IOException {
    Set<String> paths = new HashSet<>();
    for (Feed feed : feeds) {
      paths.add(feed.blob());
      feed.deltas().forEach(delta -> paths.add(delta.path()));
    }
    if (paths.equals(named.peekLast())) {
      return;
    }
    named.addLast(paths);
    if (named.size() > KEPT) {
      named.removeFirst();
    }
    Set<String> all = new HashSet<>();
    named.forEach(all::addAll);
    folder.prune(all);
  }

  private Optional<Feed> feed(LiveVersion version) throws IOException {
    Numbered before = known.get(version.feed());
    if (before != null
        && before.number() == version.number()
        && folder.size(before.feed().blob()) == before.feed().packed()) {
      Feed feed = again(before.feed(), version);
      known.put(version.feed(), new Numbered(version.number(), feed));
      return Optional.of(feed);
    }
    Optional<FeedContent> content = version.content().get();
    if (content.isEmpty()) {
      // Its loss is reported where it was found; the last one stays published.
      return Optional.ofNullable(last.get(version.feed()));
    }
    Path text = work.resolve("new");
    try {
      Feed feed = feed(version, text(content.get(), text));
      known.put(version.feed(), new Numbered(version.number(), feed));
      return Optional.of(feed);
    } finally {
      Files.deleteIfExists(text);
    }
  }

  private static Feed again(Feed feed, LiveVersion version) {
    return new Feed(
        feed.name(),
        feed.sha256(),
        feed.parts(),
        feed.packed(),
        version.entries(),
        version.fetched(),
        version.checked(),
        version.accepted(),
        feed.deltas());
  }

  /** The text as parsers read it, whatever it was packed with on its way. */
  private static Text text(FeedContent content, Path target) throws IOException {
    List<Long> parts = new ArrayList<>();
    String sha256 =
        PackedFiles.digested(
            target,
            out -> {
              for (Path part : content.parts()) {
                try (InputStream raw = Files.newInputStream(part);
                    InputStream in = FeedBytes.open(raw)) {
                  parts.add(in.transferTo(out));
                }
              }
            });
    return new Text(sha256, parts, target);
  }

  private Feed feed(LiveVersion version, Text text) throws IOException {
    String blob = Feed.blob(text.sha256());
    if (!isWhole(blob, text)) {
      folder.put(blob, aside -> PackedFiles.pack(aside, out -> Files.copy(text.file(), out)));
    }
    long packed = folder.size(blob);
    Feed before = last.get(version.feed());
    List<Delta> deltas = before == null ? List.of() : deltas(before, text, packed);
    return new Feed(
        version.feed(),
        text.sha256(),
        text.parts(),
        packed,
        version.entries(),
        version.fetched(),
        version.checked(),
        version.accepted(),
        deltas);
  }

  /** Somebody may have changed the file of a text that was published before. */
  private boolean isWhole(String blob, Text text) throws IOException {
    if (folder.size(blob) < 0) {
      return false;
    }
    Path there = work.resolve("there");
    try {
      PackedFiles.unpack(folder.root().resolve(blob), there, Files.size(text.file()));
      return PackedFiles.sha256(there).equals(text.sha256());
    } catch (ZipException | EOFException e) {
      return false;
    } finally {
      Files.deleteIfExists(there);
    }
  }

  private List<Delta> deltas(Feed before, Text text, long packed) throws IOException {
    if (before.sha256().equals(text.sha256())) {
      return before.deltas();
    }
    Path old = work.resolve("old");
    if (folder.size(before.blob()) < 0) {
      return List.of();
    }
    try {
      PackedFiles.unpack(folder.root().resolve(before.blob()), old, before.octets());
      Optional<Delta> delta = delta(before, old, text, packed);
      if (delta.isEmpty()) {
        return List.of();
      }
      List<Delta> all = new ArrayList<>(before.deltas());
      all.add(delta.get());
      return all.subList(Math.max(0, all.size() - FleetLimits.DELTAS), all.size());
    } catch (NoSuchFileException | ZipException | EOFException e) {
      // Somebody took or damaged the file of the last version: followers take the whole.
      return List.of();
    } finally {
      Files.deleteIfExists(old);
    }
  }

  /** Empty when it is not smaller than the whole; tried before it is published. */
  private Optional<Delta> delta(Feed before, Path old, Text text, long packed) throws IOException {
    Path made = work.resolve("delta");
    try {
      boolean[] written = {false};
      PackedFiles.pack(made, out -> written[0] = LineDelta.write(old, text.file(), out, mostLines));
      long size = Files.size(made);
      if (!written[0] || size >= packed || !leadsTo(text, old, made)) {
        return Optional.empty();
      }
      Delta delta = new Delta(before.sha256(), text.sha256(), Files.size(text.file()), size);
      folder.put(delta.path(), aside -> Files.copy(made, aside));
      return Optional.of(delta);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private boolean leadsTo(Text text, Path old, Path made) throws IOException {
    Path result = work.resolve("tried");
    try (InputStream delta = PackedFiles.unpack(made);
        OutputStream out = Files.newOutputStream(result)) {
      LineDelta.apply(old, delta, out, Files.size(text.file()));
    }
    boolean right = PackedFiles.sha256(result).equals(text.sha256());
    Files.delete(result);
    if (!right) {
      LOG.error("a delta that does not give its text is not published; please report this");
    }
    return right;
  }
}
