package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.ClassicFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.RedisFilter;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.fleet.StoredFilter;
import io.bloomgate.blocklists.fleet.StoredFilter.Bits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter push}: the keys of a list, or a filter file, into a key of Redis. Used
 * for one push, on one thread.
 */
public final class FilterPush {

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
    /** Gives every entry, repeats included. */
    void read(Consumer<? super ListEntry> taker) throws OfflineException;
  }

  /**
   * The result of a push.
   *
   * @param list what was read, if it was a list
   * @param octets of the value; 0 when the module keeps it
   */
  public record Report(
      RedisKey key, StoredFilter filter, Optional<ListReport> list, long octets, long nanos) {
    /** One object. */
    public JsonObject toJson() {
      var object =
          JsonValue.object()
              .put("key", key.toString())
              .put("form", filter.word())
              .put("entries", filter.entries())
              .put("asked_fpp", filter.rate());
      if (filter instanceof Bits bits) {
        object.put("bits", bits.bits()).put("hashes", bits.hashes()).put("octets", octets);
      }
      list.ifPresent(read -> object.put("invalid", read.totals().invalid()));
      return object.put("seconds", Math.round(nanos / 1e6) / 1e3).build();
    }
  }

  private final WorkbenchTools means;
  private final RedisKey key;

  /** A push to this key. */
  public FilterPush(RedisKey key, WorkbenchTools means) {
    this.key = key;
    this.means = means;
  }

  /**
   * Puts a file there: the keys of a list, or a filter.
   *
   * @param format of the list; {@code null} to find it
   * @throws OfflineException when it was not done; then the key holds what it held
   */
  public Report file(Path file, @Nullable String format, double rate, Form form)
      throws OfflineException {
    InputFiles.requireReadable(file);
    if (FilterTarget.isFilter(file)) {
      return filter(LoadedFilter.read(file, means), form);
    }
    if (form != Form.BITS && !Files.isRegularFile(file)) {
      throw new OfflineException(
          Kind.USAGE,
          file
              + " is a pipe or a device, and the Bloom module is given its keys at the second"
              + " reading",
          "name a file, or push with --as bits");
    }
    ListReader reader = new ListReader(ListReader.format(format));
    ListReport[] read = new ListReport[1];
    Report report = list(taker -> read[0] = reader.read(file, taker), rate, form);
    return new Report(
        key, report.filter, Optional.ofNullable(read[0]), report.octets, report.nanos);
  }

  /**
   * Puts the keys of a version of a feed there.
   *
   * @throws OfflineException when it was not done; then the key holds what it held
   */
  public Report feed(FeedDiff.Side version, double rate, Form form) throws OfflineException {
    return list(
        taker -> {
          try {
            version.read(new Listed(taker));
          } catch (IOException e) {
            throw new OfflineException(
                Kind.FAILED, "the feed cannot be read: " + e.getMessage(), "", e);
          }
        },
        rate,
        form);
  }

  /** Bad lines and exceptions list nothing. */
  private record Listed(Consumer<? super ListEntry> taker) implements FeedSink {
    @Override
    public void entry(ListEntry entry) {
      if (!entry.exception()) {
        taker.accept(entry);
      }
    }

    @Override
    public void problem(ParseProblem problem) {}
  }

  private Report list(Keys keys, double rate, Form form) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    try (RedisFilter redis = RedisFilter.at(key)) {
      boolean module =
          switch (form) {
            case BITS -> false;
            case MODULE -> {
              requireModule(redis);
              yield true;
            }
            // What is there keeps its form: a module that came later does not change it.
            case AUTO ->
                redis.find().map(found -> found instanceof StoredFilter.Module).orElse(false)
                    || (redis.find().isEmpty() && redis.hasModule());
          };
      redis.requireFreeFor(module ? "module" : "bits");
      RandomGenerator randomness = means.randomness().get();
      Keying keying =
          new Keying(
              TextHash.VERSION,
              KeyHash.NORMALISATION_VERSION,
              randomness.nextLong(),
              randomness.nextLong());
      HashCollector.DistinctHashes hashes = hashes(keys, keying);
      StoredFilter stored =
          module
              ? putItems(redis, keys, hashes.count(), rate)
              : putBits(redis, hashes, rate, keying);
      return report(stored, start);
    } catch (RedisException e) {
      throw failed(e);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  private void requireModule(RedisFilter redis) throws RedisException, OfflineException {
    if (!redis.hasModule()) {
      throw new OfflineException(
          Kind.FAILED,
          key.server() + " has no Bloom module",
          "push with --as bits, or use a server with the module");
    }
  }

  private HashCollector.DistinctHashes hashes(Keys keys, Keying keying) throws OfflineException {
    TextHash hash = new TextHash(keying.seedHigh(), keying.seedLow());
    HashCollector collector = new HashCollector(means.mostHeld());
    keys.read(entry -> collector.accept(hash.subject(entry.subject())));
    if (collector.overfull()) {
      throw means.tooLarge("a filter of more than " + means.mostHeld() + " distinct keys");
    }
    HashCollector.DistinctHashes distinct = collector.distinct();
    if (distinct.count() == 0) {
      throw new OfflineException(
          Kind.FAILED,
          "there is no key to push; what " + key + " holds stays",
          "an empty list is more often a broken download than an empty list");
    }
    return distinct;
  }

  private StoredFilter putBits(
      RedisFilter redis, HashCollector.DistinctHashes hashes, double rate, Keying keying)
      throws RedisException, FilterBuildException {
    ClassicFilter filter =
        (ClassicFilter)
            FilterKinds.build(FilterKind.CLASSIC, new FilterRequest(hashes.count(), rate), hashes);
    return put(redis, filter, keying);
  }

  private StoredFilter putItems(RedisFilter redis, Keys keys, long distinct, double rate)
      throws RedisException, OfflineException {
    StoredFilter.Module filter = new StoredFilter.Module(distinct, rate);
    redis.<OfflineException>put(
        filter,
        taker -> {
          RedisException[] failure = new RedisException[1];
          keys.read(entry -> {
            try {
              if (failure[0] == null) {
                taker.take(entry.subject().written());
              }
            } catch (RedisException e) {
              failure[0] = e;
            }
          });
          if (failure[0] != null) {
            throw failure[0];
          }
        });
    return filter;
  }

  private Report filter(LoadedFilter file, Form form) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    if (form == Form.MODULE) {
      throw new OfflineException(
          Kind.USAGE,
          file.path() + " is a filter, and the module wants its keys",
          "push its lists");
    }
    if (!(file.filter() instanceof ClassicFilter filter)) {
      throw new OfflineException(
          Kind.USAGE,
          file.path() + " is a filter of kind " + file.shape().kind().word(),
          "push its lists, or build it with --kind classic");
    }
    try (RedisFilter redis = RedisFilter.at(key)) {
      redis.requireFreeFor("bits");
      return report(put(redis, filter, file.file().keying()), start);
    } catch (RedisException e) {
      throw failed(e);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    }
  }

  private static StoredFilter put(RedisFilter redis, ClassicFilter filter, Keying keying)
      throws RedisException, FilterBuildException {
    var shape = filter.shape();
    if (shape.bits() > Bits.MOST_BITS) {
      throw new FilterBuildException(
          "a key of Redis holds 512 MiB, and this filter has "
              + shape.bits()
              + " bits; ask for a higher rate, or push the lists to several keys");
    }
    long set = 0;
    for (int i = 0; i < filter.words(); i++) {
      set += Long.bitCount(filter.word(i));
    }
    Bits stored =
        new Bits(
            shape.bits(),
            shape.hashes(),
            keying.seedHigh(),
            keying.seedLow(),
            keying.hashVersion(),
            keying.normalisationVersion(),
            set,
            shape.entries(),
            shape.capacity(),
            shape.askedRate());
    redis.put(stored, (from, length) -> page(filter, from, length));
    return stored;
  }

  /** Redis counts bits from the highest one of an octet, a filter from the lowest of a word. */
  private static byte[] page(ClassicFilter filter, long from, int length) {
    ByteBuffer octets = ByteBuffer.allocate(length);
    for (int word = (int) (from / Long.BYTES); octets.hasRemaining(); word++) {
      octets.putLong(Long.reverse(filter.word(word)));
    }
    return octets.array();
  }

  private Report report(StoredFilter stored, long start) {
    long octets = stored instanceof Bits bits ? bits.octets() : 0;
    return new Report(key, stored, Optional.empty(), octets, means.nanoTime().getAsLong() - start);
  }

  /** A failure of Redis as one of this work. */
  static OfflineException failed(RedisException e) {
    return new OfflineException(Kind.FAILED, e.problem(), e.hint(), e);
  }

  /** Reads what the key holds. */
  static StoredFilter required(RedisFilter redis, RedisKey key)
      throws RedisException, OfflineException {
    Optional<StoredFilter> found = redis.find();
    return found.orElseThrow(() ->
        new OfflineException(
            Kind.FAILED, "there is no key " + key, "`bloomgate filter push` makes it"));
  }
}
