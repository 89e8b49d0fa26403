package io.bloomgate.blocklists.fleet.published;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.fleet.published.ListSums.Feed;
import io.bloomgate.blocklists.fleet.published.ListSums.Listed;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.refresh.FeedReports.LiveVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
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
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's side: writes the texts of the versions that are live, packed by gzip, into the
 * folder that a web server shows to followers, and last {@link ListSums}. Every file appears whole
 * or not at all and may be read by all users, since it is signed and holds no secret. Belongs to
 * the fleet's thread.
 *
 * <p>Numbers of publications begin at the milliseconds since 1970 or at that of the lease, so that
 * a leader that lost its state, or another node that becomes the leader, is above what followers
 * have seen.
 */
final class Publisher {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  /** The files of this number of publications stay for followers that are just reading. */
  private static final int KEPT = 3;

  private static final String ASIDE = ".tmp";

  /** Names of files that a leader wrote, also of those that a crash left half written. */
  private static final Pattern OWN =
      Pattern.compile("[a-z0-9._-]+\\.[0-9a-f]{64}(\\.held)?\\.gz(\\.tmp)?");

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path folder;
  private final PrivateKey key;

  /** The version written last of each feed: it need not be read again. */
  private final Map<String, Written> written = new HashMap<>();

  /** The number of the last publication, 0 before the first. */
  private volatile long last;

  private final Deque<Set<String>> named = new ArrayDeque<>();

  /**
   * The files of a version.
   *
   * @param number of the version
   * @param octets of all files
   */
  private record Written(long number, List<Listed> files, long octets) {}

  Publisher(Path folder, PrivateKey key) {
    this.folder = folder;
    this.key = key;
  }

  /**
   * Publishes what is live.
   *
   * @param term number of the lease that this node holds; 0 where the settings name the leader
   * @param now of the clock
   * @param every how often this is called at least
   * @return what was published
   * @throws IOException when nothing was; what was published before stays
   */
  ListSums publish(List<LiveVersion> live, long term, String node, Instant now, Duration every)
      throws IOException {
    // The folder itself may be a link of the operator.
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, DIRECTORY);
    }
    Optional<ListSums> there = published();
    if (there.isPresent()) {
      checkLease(there.get(), term);
      keep(there.get().names());
    }
    List<Feed> feeds = new ArrayList<>();
    for (LiveVersion version : live) {
      feed(version, there).ifPresent(feeds::add);
    }
    long before = Math.max(last, there.map(ListSums::number).orElse(0L));
    long number = Math.max(before + 1, term == 0 ? now.toEpochMilli() : term);
    ListSums sums = new ListSums(number, now, node, every, feeds);
    byte[] octets = signed(sums);
    if (octets.length > ListSums.MAX_OCTETS) {
      throw new IOException("there are more feeds than " + ListSums.NAME + " has room for");
    }
    put(ListSums.NAME, aside -> Files.write(aside, octets));
    last = sums.number();
    written.keySet().retainAll(sums.marks().keySet());
    keep(sums.names());
    return sums;
  }

  /** The number of the last publication, 0 before the first. */
  long last() {
    return last;
  }

  /** The octets of what was published. */
  byte[] signed(ListSums sums) {
    return sums.signed(key);
  }

  /** Reads what the folder says; what another program wrote there counts as nothing. */
  private Optional<ListSums> published() throws IOException {
    Path file = folder.resolve(ListSums.NAME);
    try {
      // Ed25519 gives one signature of the same octets: equal is right.
      return Optional.of(
          ListSums.read(
              DurableFiles.readPlain(file, ListSums.MAX_OCTETS),
              (text, signature) -> Arrays.equals(signature, FleetKeys.sign(key, text))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (DamagedFeedException e) {
      LOG.warn("{} {}; it is written again", file, e.getMessage());
      return Optional.empty();
    } catch (DamagedFileException e) {
      LOG.warn("{}; it is written again", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * A leader that was replaced and has not noticed it writes nothing over what is newer: the
   * numbers of a lease begin with its own, which is above all before.
   */
  private void checkLease(ListSums there, long own) throws IOException {
    if (own > 0 && there.number() > own && there.number() != last) {
      throw new IOException(
          "node %s leads and has published number %d, and lease %d of this node has ended"
              .formatted(there.node(), there.number(), own));
    }
  }

  private Optional<Feed> feed(LiveVersion version, Optional<ListSums> there) throws IOException {
    String name = version.feed();
    Written before = written.get(name);
    if (before == null
        || before.number() != version.number()
        || octets(before.files()) != before.octets()) {
      Optional<FeedContent> content = version.content().get();
      if (content.isEmpty()) {
        // Its loss is reported where it was found; the last one stays published.
        return there.flatMap(sums -> sums.feed(name));
      }
      List<Listed> files = new ArrayList<>();
      for (Path part : content.get().parts()) {
        files.add(pack(name, part, false));
      }
      if (version.held().isPresent()) {
        files.add(pack(name, version.held().get(), true));
      }
      before = new Written(version.number(), files, octets(files));
      written.put(name, before);
    }
    return Optional.of(new Feed(name, version.checked(), version.accepted(), before.files()));
  }

  private Listed pack(String feed, Path content, boolean held) throws IOException {
    String name = Listed.name(feed, sha256(content), held);
    String sha256 =
        put(
            name,
            aside -> {
              try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(aside))) {
                Files.copy(content, out);
              }
            });
    return new Listed(sha256, name);
  }

  private static String sha256(Path file) throws IOException {
    return new FeedContent(List.of(file)).sha256();
  }

  /** Octets of all of these; -1 when one is no regular file. */
  private long octets(List<Listed> files) throws IOException {
    long sum = 0;
    for (Listed file : files) {
      Path path = folder.resolve(file.name());
      if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) {
        return -1;
      }
      sum += Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS).size();
    }
    return sum;
  }

  /** Writes a file, of which each reader sees the old state or the new one. */
  @FunctionalInterface
  private interface Writing {
    void write(Path aside) throws IOException;
  }

  /**
   * Puts a file in its place, durably.
   *
   * @return its SHA-256
   */
  private String put(String name, Writing writing) throws IOException {
    Path aside = folder.resolve(name + ASIDE);
    Files.deleteIfExists(aside);
    try {
      writing.write(aside);
      Files.setPosixFilePermissions(aside, FILE);
      DurableFiles.sync(aside);
      String sha256 = sha256(aside);
      DurableFiles.rename(aside, folder.resolve(name));
      return sha256;
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException(folder + " can replace no file whole; choose another folder", e);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** Removes files that none of the last publications names; what no leader wrote is left alone. */
  private void keep(Set<String> names) throws IOException {
    if (names.equals(named.peekLast())) {
      return;
    }
    named.addLast(names);
    if (named.size() > KEPT) {
      named.removeFirst();
    }
    Set<String> all = new HashSet<>();
    named.forEach(all::addAll);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        boolean own = OWN.matcher(name).matches() && Files.isRegularFile(file, NOFOLLOW_LINKS);
        if (own && !all.contains(name)) {
          Files.delete(file);
        }
      }
    }
  }
}
