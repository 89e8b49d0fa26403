package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import io.bloomgate.blocklists.filter.kinds.ClassicFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.RedisFilter;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.fleet.StoredFilter;
import io.bloomgate.blocklists.fleet.StoredFilter.Bits;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter push} and {@code filter query} of a key of Redis: the keys of a list, or
 * a filter file, go there, and are asked there, one round trip for each key. On one thread, until
 * closed.
 */
public final class FilterPush implements AutoCloseable {

  /** The form in which keys are stored. */
  public enum Form implements Keyed {
    /** The Bloom module where the server has it, bits otherwise. */
    AUTO,
    BITS,
    MODULE
  }

  /** A source of keys; may be read twice. */
  @FunctionalInterface
  private interface Keys {
    /** Gives every key, repeats included; returns what was read, if it was a list. */
    ListReader.@Nullable Report read(Consumer<? super Key> taker)
        throws OfflineException, IOException;
  }

  /**
   * The result of a push.
   *
   * @param list what was read, if it was a list
   */
  public record Report(
      RedisKey key, StoredFilter filter, Optional<ListReader.Report> list, double seconds) {

    /** One object. */
    public JsonObject toJson() {
      var object =
          JsonValue.object()
              .put("key", key.toString())
              .put("form", filter.word())
              .put("entries", filter.entries())
              .put("asked_fpp", filter.rate());
      if (filter instanceof Bits bits) {
        object.put("bits", bits.bits()).put("hashes", bits.hashes()).put("octets", bits.octets());
      }
      list.ifPresent(read -> object.put("invalid", read.totals().invalid()));
      return object.put("seconds", seconds).build();
    }
  }

  /** Work with the server. */
  @FunctionalInterface
  private interface Work<T> {
    T run() throws RedisException, FilterBuildException, OfflineException, IOException;
  }

  private final WorkbenchTools means;
  private final RedisKey key;
  private final RedisFilter redis;

  /** A key that holds a filter, or will. */
  public FilterPush(RedisKey key, WorkbenchTools means) {
    this.key = key;
    this.means = means;
    this.redis = RedisFilter.at(key);
  }

  private <T> T done(Work<T> work) throws OfflineException {
    try {
      return work.run();
    } catch (RedisException e) {
      throw OfflineException.failed(e.problem(), e.hint(), e);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    } catch (IOException | UncheckedIOException e) {
      throw OfflineException.failed(
          "the keys cannot be read, or be kept in a temporary file: " + e.getMessage(), "", e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  /**
   * Makes the query that asks what the key holds.
   *
   * @throws OfflineException when the server cannot be asked, or the key holds no filter of this
   *     release
   */
  public FilterQuery query() throws OfflineException {
    Optional<StoredFilter> found = done(redis::find);
    if (found.isEmpty()) {
      throw OfflineException.failed("there is no key " + key, "`bloomgate filter push` makes it");
    }
    return switch (found.get()) {
      case StoredFilter.Module _ ->
          new FilterQuery(asked -> done(() -> redis.mayHold(asked.text())), false);
      case Bits bits -> {
        Key.Hashes hashes = Key.Hashes.of(bits.keying(), key.toString());
        yield new FilterQuery(
            asked ->
                done(() ->
                    redis.allSet(SplitMix.places(hashes.hash(asked), bits.bits(), bits.hashes()))),
            hashes.anyText());
      }
    };
  }

  /**
   * Puts a file there: the keys of a list, or a filter.
   *
   * @param format of the list; {@code null} to find it
   * @throws OfflineException when it was not done; then the key holds what it held
   */
  public Report file(Path file, @Nullable String format, double rate, Form form)
      throws OfflineException {
    if (FilterFiles.isReadableFilter(file)) {
      return filter(LoadedFilter.read(file, means), form);
    }
    OfflineException.refuseIf(
        form != Form.BITS && !Files.isRegularFile(file),
        file
            + " is a pipe or a device, and the Bloom module is given its keys at the second"
            + " reading",
        "name a file, or push with --as bits");
    ListReader reader = new ListReader(format, false);
    return list(taker -> reader.read(file, taker), rate, form);
  }

  /**
   * Puts the keys of a version of a feed there.
   *
   * @throws OfflineException when it was not done; then the key holds what it held
   */
  public Report feed(GuardedText version, double rate, Form form) throws OfflineException {
    return list(
        taker -> {
          version.entries(new ListReader.Keys(taker));
          return null;
        },
        rate,
        form);
  }

  private Report list(Keys keys, double rate, Form form) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    return done(() -> {
      boolean module = isForModule(form);
      redis.requireFreeFor(module ? "module" : "bits");
      Key.Hashes hashes = Key.Hashes.fresh(Key.Hashes.SHARED, false, means.randomness().get());
      try (DistinctHashes all = new DistinctHashes(means.folder(), means.mostHeld())) {
        ListReader.Report read = keys.read(asked -> all.accept(hashes.hash(asked)));
        if (all.count() == 0) {
          throw OfflineException.failed(
              "there is no key to push; what " + key + " holds stays",
              "an empty list is more often a broken download than an empty list");
        }
        StoredFilter stored =
            module
                ? putItems(keys, new StoredFilter.Module(all.count(), rate))
                : put(
                    (ClassicFilter)
                        FilterKinds.build(
                            FilterKind.CLASSIC, new FilterRequest(all.count(), rate), all),
                    hashes.keying());
        return new Report(key, stored, Optional.ofNullable(read), means.secondsSince(start));
      }
    });
  }

  private boolean isForModule(Form form) throws RedisException, OfflineException {
    if (form == Form.MODULE && !redis.hasModule()) {
      throw OfflineException.failed(
          key.server() + " has no Bloom module",
          "push with --as bits, or use a server with the module");
    }
    if (form != Form.AUTO) {
      return form == Form.MODULE;
    }
    // What is there keeps its form: a module that came later does not change it.
    Optional<StoredFilter> found = redis.find();
    return found.isPresent() ? found.get() instanceof StoredFilter.Module : redis.hasModule();
  }

  private StoredFilter putItems(Keys keys, StoredFilter.Module filter)
      throws RedisException, OfflineException, IOException {
    RedisFilter.Items items = redis.items(filter);
    keys.read(asked -> items.add(asked.text()));
    items.finish();
    return filter;
  }

  private Report filter(LoadedFilter file, Form form) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    OfflineException.refuseIf(
        form == Form.MODULE,
        file.path() + " is a filter, and the module wants its keys",
        "push its lists");
    if (!(file.filter() instanceof ClassicFilter filter)) {
      throw OfflineException.usage(
          file.path() + " is a filter of kind " + file.shape().kind().word(),
          "push its lists, or build it with --kind classic");
    }
    return done(() -> {
      redis.requireFreeFor("bits");
      StoredFilter stored = put(filter, file.file().keying());
      return new Report(key, stored, Optional.empty(), means.secondsSince(start));
    });
  }

  private StoredFilter put(ClassicFilter filter, Keying keying)
      throws RedisException, FilterBuildException {
    var shape = filter.shape();
    if (shape.bits() > Bits.MOST_BITS) {
      throw new FilterBuildException(
          "a key of Redis holds 512 MiB, and this filter has "
              + shape.bits()
              + " bits; ask for a higher rate, or push the lists to several keys");
    }
    Bits stored =
        new Bits(
            shape.bits(),
            shape.hashes(),
            keying,
            WordBody.setBits(filter.words()),
            shape.entries(),
            shape.capacity(),
            shape.askedRate());
    redis.put(stored, (from, length) -> page(filter, from, length));
    return stored;
  }

  /** Redis counts bits from the highest one of an octet, a filter from the lowest of a word. */
  private static byte[] page(ClassicFilter filter, long from, int length) {
    ByteBuffer octets = ByteBuffer.allocate(length);
    for (long at = from; octets.hasRemaining(); at += Long.BYTES) {
      octets.putLong(Long.reverse(filter.words().get(WordBody.WORD, at)));
    }
    return octets.array();
  }

  @Override
  public void close() {
    redis.close();
  }
}
