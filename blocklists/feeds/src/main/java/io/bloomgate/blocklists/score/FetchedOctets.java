package io.bloomgate.blocklists.score;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Octets of the versions that came of each feed, a sum for each day (UTC). A check that found
 * nothing new counts nothing, and so does a download that failed. Written by the feed-refresher,
 * read for `feeds score` on any thread.
 */
public record FetchedOctets(FeedStates states) {

  private static final Logger LOG = LoggerFactory.getLogger(FetchedOctets.class);

  /** Days that are kept: more than anybody asks for, in two KiB. */
  static final int MAX_DAYS = 100;

  /** The octets of a feed by day, as they are stored. */
  private record Days(Map<String, Long> days) {}

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  /** Adds a version that came. What cannot be written is not counted. */
  public void add(String feed, long octets, Instant at) {
    try {
      TreeMap<String, Long> days = days(feed);
      days.merge(day(at).toString(), octets, Long::sum);
      while (days.size() > MAX_DAYS) {
        days.pollFirstEntry();
      }
      states.put(feed, Part.FETCHED, new Days(days));
    } catch (IOException e) {
      if (states.problem().isEmpty()) {
        LOG.warn("what was fetched of feed {} is not counted: {}", feed, Faults.words(e));
      }
    }
  }

  /** Octets from the day of this moment on; empty when nothing of the feed was ever counted. */
  public Optional<Long> since(String feed, Instant since) {
    try {
      TreeMap<String, Long> days = days(feed);
      return days.isEmpty()
          ? Optional.empty()
          : Optional.of(
              days.tailMap(day(since).toString(), true).values().stream()
                  .mapToLong(Long::longValue)
                  .sum());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private TreeMap<String, Long> days(String feed) throws IOException {
    return new TreeMap<>(
        states.get(feed, Part.FETCHED, Days.class).map(Days::days).orElse(Map.of()));
  }
}
