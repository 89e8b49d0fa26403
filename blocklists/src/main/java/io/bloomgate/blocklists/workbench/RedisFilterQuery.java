package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.kinds.ClassicFilter;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.RedisFilter;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.fleet.StoredFilter;
import io.bloomgate.blocklists.fleet.StoredFilter.Bits;

/**
 * {@code bloomgate filter query} of a key of Redis: one round trip for each key that is asked. Used
 * on one thread, until closed.
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
   * Makes the query that asks it.
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

  @Override
  public void close() {
    redis.close();
  }
}
