package io.bloomgate.catches;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.LiveEntries;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies of real lists in a folder, as a table names them ({@code
 * integration-tests/bench/catch.tsv}). Immutable.
 */
final class Copies {

  /** Columns of the table, with a TAB between two. */
  private static final int COLUMNS = 6;

  /** What a row of the table is. */
  enum Kind {
    /** A feed of the catalogue. */
    LIST,
    /** A list of addresses that hit traps, which is held out as the truth; may be a feed too. */
    TRAP,
    /** Networks that good senders send from. */
    GOOD_NETWORKS,
    /** Domains that good senders use. */
    GOOD_NAMES
  }

  /**
   * One row.
   *
   * @param name of the feed in the catalogue
   * @param day when the copy was made, {@code 2026-08-22}
   * @param drawsOn names of lists that it takes entries from
   */
  record Copy(Kind kind, String name, Path file, String format, String day, Set<String> drawsOn) {
    Copy {
      drawsOn = Set.copyOf(drawsOn);
    }

    String month() {
      return day.substring(0, "2026-08".length());
    }

    /** Hands over its entries as a feed of these rules would have them. */
    void read(EntryGuard guard, @Nullable Match match, Consumer<? super ListEntry> next)
        throws IOException {
      check(
          new FeedContent(List.of(file))
              .read(known(), match, new LiveEntries(guard, next::accept)));
    }

    /** Hands over every entry, as it was published. */
    void readAll(Consumer<? super ListEntry> next) throws IOException {
      FeedSink sink =
          new FeedSink() {
            @Override
            public void entry(ListEntry entry) {
              // A list of good senders excepts them.
              if (!entry.exception() || kind == Kind.GOOD_NETWORKS) {
                next.accept(entry);
              }
            }

            @Override
            public void problem(ParseProblem problem) {}
          };
      check(new FeedContent(List.of(file)).read(known(), null, sink));
    }

    private FeedFormat known() {
      return switch (FeedFormat.named(format)) {
        case Parsed.Ok<FeedFormat>(FeedFormat found, var ignored) -> found;
        case Parsed.Bad<FeedFormat>(String hint) ->
            throw new IllegalArgumentException(format + " is no format; " + hint);
      };
    }

    private void check(ParseTotals totals) throws IOException {
      if (totals.damage().isPresent() || totals.entries() == 0) {
        throw new IOException(file + " is no list: " + totals);
      }
    }
  }

  private final List<Copy> all;

  private Copies(List<Copy> all) {
    this.all = List.copyOf(all);
  }

  /** Reads the table; a copy that is not in the folder is an error. */
  static Copies of(Path table, Path folder) throws IOException {
    List<Copy> copies = new ArrayList<>();
    for (String line : Files.readAllLines(table)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (cells.length != COLUMNS) {
        throw new IOException(table + ": not " + COLUMNS + " columns: " + line);
      }
      Path file = folder.resolve(cells[2]);
      if (!Files.isReadable(file)) {
        throw new IOException(file + " is missing; " + table + " names it");
      }
      Set<String> drawsOn = cells[5].equals("-") ? Set.of() : Set.of(cells[5].split(","));
      Kind kind = Kind.valueOf(cells[0].replace('-', '_').toUpperCase(Locale.ROOT));
      copies.add(new Copy(kind, cells[1], file, cells[3], cells[4], drawsOn));
    }
    return new Copies(copies);
  }

  /** Those of a kind. */
  List<Copy> of(Kind kind) {
    return all.stream().filter(copy -> copy.kind() == kind).toList();
  }

  /** Lists and trap lists of one month, one for each name. */
  Map<String, Copy> feedsOf(String month) {
    return newest(all.stream().filter(copy -> copy.month().equals(month)).toList());
  }

  /** The newest copy of each list and trap list. */
  Map<String, Copy> newestFeeds() {
    return newest(all);
  }

  private static Map<String, Copy> newest(List<Copy> copies) {
    Map<String, Copy> newest = new LinkedHashMap<>();
    copies.stream()
        .filter(copy -> copy.kind() == Kind.LIST || copy.kind() == Kind.TRAP)
        .sorted(Comparator.comparing(Copy::day))
        .forEach(copy -> newest.put(copy.name(), copy));
    return newest;
  }
}
