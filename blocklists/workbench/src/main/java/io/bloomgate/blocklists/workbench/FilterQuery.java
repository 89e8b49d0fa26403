package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter query}: one probe of one filter for each key; a name's parents and an
 * address's networks are other keys, and are not asked. A key has one hash, the same for every way
 * of writing it; how far a name reaches is no part of it. Used on one thread.
 */
public final class FilterQuery {

  /**
   * The answer to one key. Immutable.
   *
   * @param key as it was given, perhaps cut
   * @param maybe true when it may be inside, false when it certainly is not; {@code null} when the
   *     text is no key, so there was nothing to ask
   * @param problem why the text is no key, a short phrase without the text; {@code null} for a key
   */
  public record Answer(String key, @Nullable Boolean maybe, @Rare @Nullable String problem) {

    /** True for an empty line, which is no mistake. */
    public boolean isBlank() {
      return Key.BLANK.equals(problem);
    }
  }

  /** A question about a key. */
  @FunctionalInterface
  interface Probe {
    /** True when the key may be inside. */
    boolean maybe(Key key) throws OfflineException;
  }

  private final Probe probe;
  private final boolean anyText;

  /** Asks something; {@code anyText} where every text is a key there. */
  FilterQuery(Probe probe, boolean anyText) {
    this.probe = probe;
    this.anyText = anyText;
  }

  /**
   * Asks the filter of a file where it lies: it is proven whole, and never copied into the heap.
   *
   * @throws OfflineException when the file cannot be read or asked
   */
  public static FilterQuery of(Path path, WorkbenchTools tools) throws OfflineException {
    FilterFiles.requireFile(path);
    try {
      PagedFile file = PagedFile.open(path);
      LongPredicate filter = FilterKinds.mapped(file);
      Key.Hashes hashes = Key.Hashes.of(file.header().keying(), path.toString());
      return new FilterQuery(key -> filter.test(hashes.hash(key)), hashes.anyText());
    } catch (IOException e) {
      throw FilterFiles.unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw tools.tooLarge(path.toString());
    }
  }

  /**
   * Asks for a key a line, until the lines end.
   *
   * @param next takes an answer for each line, in order, and says whether to go on
   * @throws OfflineException when the lines cannot be read to their end
   */
  public void askAll(InputStream lines, Predicate<Answer> next) throws OfflineException {
    Key.Lines keys = new Key.Lines(lines);
    try {
      boolean more = true;
      for (Parsed<String> line = keys.next(); more && line != null; line = keys.next()) {
        more = next.test(ask(line.toOptional().orElseGet(keys::beginning), line));
      }
    } catch (IOException e) {
      throw OfflineException.failed("standard input cannot be read to its end", "", e);
    }
  }

  /**
   * Asks for a key, written as in a list.
   *
   * @throws OfflineException when the filter cannot be asked
   */
  public Answer ask(String text) throws OfflineException {
    return ask(text, Parsed.ok(text));
  }

  private Answer ask(String shown, Parsed<String> text) throws OfflineException {
    return switch (Key.parse(text, anyText)) {
      case Parsed.Ok<Key>(Key key, var _) -> new Answer(shown, probe.maybe(key), null);
      case Parsed.Bad<Key>(String reason) -> new Answer(shown, null, reason);
    };
  }
}
