package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compares what two versions of a feed list: how many entries came and went, and some of them. Used
 * by {@code feeds diff} in the command line, on one thread, and by the page of the gateway for
 * smaller lists.
 *
 * <p>Neither is kept in memory: a {@link FeedDigest} keeps eight octets for each entry, so two
 * versions of ten million entries take less than 400 MB.
 */
public record FeedDiff(FeedDigest from, FeedDigest to) {

  /** Entries that are shown of what came, and as many of what went, unless more are asked for. */
  public static final int SHOWN = 20;

  /** The most that can be asked for, in entries; each takes about 200 octets of memory. */
  public static final int MOST_SHOWN = 100_000;

  /**
   * An entry that came or went.
   *
   * @param line in that version
   */
  public record Sample(String entry, int line) {}

  /**
   * Entries of one side that the other has not.
   *
   * @param counts by kind: ipv4, ipv6, domain, address, exception
   * @param samples the first in feed order, as many as were asked for
   */
  public record Changes(Map<String, Long> counts, List<Sample> samples) {
    /** All kinds together. */
    public long total() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The numbers of changes by kind. */
    public JsonObject countsJson() {
      ObjectBuilder json = JsonValue.object();
      counts.forEach(json::put);
      return json.build();
    }
  }

  /**
   * The differences that were found.
   *
   * @param same entries that both have
   */
  public record Result(Changes added, Changes removed, long same) {}

  /**
   * Reads both sides and compares.
   *
   * @param shown how many entries are in {@link Changes#samples} at most, 0 to {@link #MOST_SHOWN}
   * @throws IOException when one cannot be read, or is damaged
   */
  public static Result compare(GuardedText from, GuardedText to, int shown) throws IOException {
    FeedDiff diff = new FeedDiff(from.digest(), to.digest());
    Map<String, Long> added = new LinkedHashMap<>();
    Map<String, Long> removed = new LinkedHashMap<>();
    long same = 0;
    for (Kind kind : Kind.values()) {
      long common = diff.from.common(diff.to, kind);
      added.put(kind.key(), diff.to.live(kind).length - common);
      removed.put(kind.key(), diff.from.live(kind).length - common);
      same += common;
    }
    return new Result(
        new Changes(added, diff.samples(to, diff.to, diff.from, shown)),
        new Changes(removed, diff.samples(from, diff.from, diff.to, shown)),
        same);
  }

  /** The first entries of a side that the other has not, each once. */
  private List<Sample> samples(GuardedText side, FeedDigest own, FeedDigest other, int shown)
      throws IOException {
    Map<Long, Sample> samples = new LinkedHashMap<>();
    if (own.changes(other) > 0) {
      side.entries(
          new FeedSink() {
            @Override
            public void entry(ListEntry entry) {
              take(Kind.of(entry), EntryNumbers.signed(entry), entry.line(), entry::text);
            }

            @Override
            public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
              take(
                  Kind.of(first),
                  EntryNumbers.of(first, last),
                  networks.getFirst().line(),
                  () -> first + "-" + last);
            }

            private void take(Kind kind, long number, int line, Supplier<String> text) {
              if (samples.size() < shown && own.has(kind, number) && !other.has(kind, number)) {
                samples.computeIfAbsent(number, _ -> new Sample(text.get(), line));
              }
            }
          });
    }
    return List.copyOf(samples.values());
  }
}
