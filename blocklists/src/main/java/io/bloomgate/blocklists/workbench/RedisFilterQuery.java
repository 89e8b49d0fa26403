package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.kinds.ClassicFilter;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.RedisFilter;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.fleet.StoredFilter;
import io.bloomgate.blocklists.fleet.StoredFilter.Bits;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * {@code bloomgate filter query} and {@code filter pull} of a key of Redis: one round trip for each
 * key that is asked. Used on one thread, until closed.
 */
public final class RedisFilterQuery implements AutoCloseable {

  private final RedisKey key;
  private final RedisFilter redis;
  private final StoredFilter stored;

  private RedisFilterQuery(RedisKey key, RedisFilter redis, StoredFilter stored) {
    this.key = key;
    this.redis = redis;
    this.stored = stored;
  }

  /**
   * Connects, and reads what the key says about itself.
   *
   * @throws OfflineException when the server cannot be asked, or the key holds no filter
   */
  public static RedisFilterQuery open(RedisKey key) throws OfflineException {
    RedisFilter redis = RedisFilter.at(key);
    try {
      return new RedisFilterQuery(key, redis, FilterPush.required(redis, key));
    } catch (RedisException e) {
      redis.close();
      throw FilterPush.failed(e);
    } catch (OfflineException e) {
      redis.close();
      throw e;
    }
  }

  /**
   * What asks it.
   *
   * @throws OfflineException when its keys were made by another release
   */
  public FilterQuery query() throws OfflineException {
    return switch (stored) {
      case StoredFilter.Module _ ->
          new FilterQuery(subject -> {
            try {
              return redis.mayHold(subject.written());
            } catch (RedisException e) {
              throw FilterPush.failed(e);
            }
          });
      case Bits bits -> {
        SubjectHash hash = SubjectHash.of(keying(bits), key.toString());
        yield new FilterQuery(subject -> {
          try {
            return redis.allSet(
                ClassicFilter.places(hash.subject(subject), bits.bits(), bits.hashes()));
          } catch (RedisException e) {
            throw FilterPush.failed(e);
          }
        });
      }
    };
  }

  private static Keying keying(Bits bits) {
    return new Keying(bits.hashVersion(), bits.normalisation(), bits.seedHigh(), bits.seedLow());
  }

  /**
   * Writes it to a filter file of kind classic.
   *
   * @throws OfflineException when it is no plain bits, damaged, or cannot be written
   */
  public LoadedFilter pull(Path target, WorkbenchTools means) throws OfflineException {
    if (!(stored instanceof Bits bits)) {
      throw new OfflineException(
          Kind.USAGE,
          key + " is a filter of the Bloom module, whose bits only the module reads",
          "push it with --as bits to another key");
    }
    FilterTarget file = new FilterTarget(target);
    if (!means.canHold(bits.octets())) {
      throw means.tooLarge(key.toString());
    }
    ClassicFilter.Builder builder =
        new ClassicFilter.Builder(
            new ClassicSizing.Size(
                bits.bits(), bits.hashes(), bits.capacity(), bits.rate(), bits.rate()));
    long set = 0;
    try {
      int word = 0;
      long size = bits.octets() - Bits.HEADER_OCTETS;
      for (long at = 0; at < size; at += RedisFilter.PAGE_OCTETS) {
        int length = (int) Math.min(RedisFilter.PAGE_OCTETS, size - at);
        byte[] page = redis.page(at, length);
        if (page.length != length) {
          throw damaged("is shorter than its header says");
        }
        for (ByteBuffer octets = ByteBuffer.wrap(page); octets.hasRemaining(); word++) {
          long read = Long.reverse(octets.getLong());
          set += Long.bitCount(read);
          builder.word(word, read);
        }
      }
    } catch (RedisException e) {
      throw FilterPush.failed(e);
    }
    if (set != bits.setBits()) {
      throw damaged("has " + set + " bits set, and its header says " + bits.setBits());
    }
    return file.write(builder.build(bits.entries()), keying(bits));
  }

  private OfflineException damaged(String how) {
    return new OfflineException(
        Kind.DAMAGED, key + " " + how, "it was written meanwhile, or is damaged; push it again");
  }

  @Override
  public void close() {
    redis.close();
  }
}
