package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.OfLeader;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.fleet.published.ListSums.Feed;
import io.bloomgate.blocklists.fleet.published.ListSums.Listed;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * A feed as the leader of the fleet has it: each file is proven by its SHA-256 and unpacked. Made
 * for one fetch by {@link Follower}; blocks its thread.
 *
 * @param files opens a file of the leader by its name
 * @param staleAfter of the feed: a leader without success for half of it gives none to followers
 */
record FollowedFeed(
    Feed feed, ListSums sums, Function<String, FeedSource> files, Duration staleAfter)
    implements FeedSource {

  @Override
  public String shown() {
    return files.apply(ListSums.NAME).shown();
  }

  @Override
  public String state() {
    return feed.mark();
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    if (known.files().equals(feed.mark())) {
      return unchanged();
    }
    List<Path> parts = new ArrayList<>();
    Optional<Path> held = Optional.empty();
    try {
      for (Listed file : feed.files()) {
        Path target = directory.resolve(file.isHeld() ? "held" : part(parts.size()));
        String why = take(file, target, directory.resolve("packed"));
        if (!why.isEmpty()) {
          // No publisher has seen a visit: it may be asked soon.
          return new FetchResult.Failed(
              why, why, Optional.empty(), FetchResult.Failed.Kind.UNASKED);
        }
        if (file.isHeld()) {
          held = Optional.of(target);
        } else {
          parts.add(target);
        }
      }
    } catch (IOException e) {
      return FetchResult.Failed.of(
          "the version of the leader cannot be stored; check space and owner of the state"
              + " directory",
          Octets.escape(e.toString()));
    }
    return new FetchResult.Fetched(
        new FeedContent(parts),
        Validators.ofFiles(feed.mark()),
        new OfLeader(feed.accepted(), held));
  }

  private static String part(int index) {
    return "part-%04d".formatted(index);
  }

  /** Both times are of the leader's clock. */
  private FetchResult unchanged() {
    Duration age = Duration.between(feed.checked(), sums.time());
    if (age.compareTo(staleAfter.dividedBy(2)) > 0) {
      String why =
          "the leader %s has had no success with this feed for %d min; see its log"
              .formatted(sums.node(), age.toMinutes());
      return FetchResult.Failed.of(why, why);
    }
    return new FetchResult.NotModified();
  }

  /** Unpacks a file, or says why not. */
  private String take(Listed file, Path target, Path aside) throws IOException {
    DurableFiles.createPrivateDirectory(aside);
    try {
      FeedSource from = files.apply(file.name());
      return switch (from.fetch(Validators.NONE, aside)) {
        case FetchResult.Fetched taken -> {
          if (!taken.content().sha256().equals(file.sha256())) {
            yield from.shown() + " is not what " + ListSums.NAME + " there says; it is tried again";
          }
          Path packed = taken.content().parts().getFirst();
          try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            Files.copy(in, target);
          }
          yield "";
        }
        case FetchResult.Failed failed -> failed.message();
        case FetchResult.NotModified _ -> from.shown() + " is not given without a mark";
      };
    } finally {
      DurableFiles.deleteTree(aside);
    }
  }
}
