package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.fleet.StoredFilter.Bits;
import io.bloomgate.blocklists.fleet.StoredFilter.Module;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A filter in a key of Redis: plain bits, or a filter of the Bloom module. A push writes beside the
 * key and puts the whole in its place at once, so that who asks meanwhile gets the old filter. Used
 * by the {@code filter} commands, on one thread.
 */
public final class RedisFilter implements AutoCloseable {

  /** Octets that one command carries. */
  private static final int PAGE_OCTETS = 1 << 20;

  /** Items of one BF.MADD. */
  private static final int ITEMS = 1_000;

  /** A push that was broken off leaves its half for this time. */
  private static final int HALF_SECONDS = 600;

  /** Types of the module of Redis and of that of Valkey. */
  private static final List<String> MODULE_TYPES = List.of("mbbloom--", "bloomfltr");

  private final RedisKey key;
  private final RedisServer server;
  private final String name;
  private final String half;
  private final String beside;

  private RedisFilter(RedisKey key) {
    this.key = key;
    this.server = RedisServer.at(key.server());
    this.name = key.key();
    this.half = name + ":new";
    this.beside = name + ":bloomgate";
  }

  /** A key that may hold a filter; the first question connects. */
  public static RedisFilter at(RedisKey key) {
    return new RedisFilter(key);
  }

  private <T> T ask(Supplier<T> question) throws RedisException {
    try {
      return Objects.requireNonNull(question.get());
    } catch (JedisException e) {
      throw RedisException.of(key.server(), e);
    } catch (ClassCastException | NullPointerException e) {
      // The library casts a reply to what Redis sends, whatever has come.
      throw RedisException.of(key.server(), new JedisException(e));
    }
  }

  /** True when the server has the commands of the Bloom module. */
  public boolean hasModule() throws RedisException {
    byte[][] question = {"INFO".getBytes(US_ASCII), "BF.ADD".getBytes(US_ASCII)};
    Object reply =
        ask(() ->
            server
                .commands()
                .executeCommand(
                    new CommandArguments(Protocol.Command.COMMAND)
                        .addObjects((Object[]) question)));
    return reply instanceof List<?> commands
        && !commands.isEmpty()
        && commands.getFirst() instanceof List<?> first
        && !first.isEmpty();
  }

  /**
   * Reads what the key holds; empty when there is no such key.
   *
   * @throws RedisException when it holds something that no push made
   */
  public Optional<StoredFilter> find() throws RedisException {
    String type = ask(() -> server.commands().type(name)).toLowerCase(Locale.ROOT);
    if (type.equals("none")) {
      return Optional.empty();
    }
    if (type.equals("string")) {
      byte[] start =
          ask(() -> server.commands().getrange(name.getBytes(US_ASCII), 0, Bits.HEADER_OCTETS - 1));
      Bits found = Bits.read(start).orElseThrow(() -> foreign("a text that is no filter"));
      if (ask(() -> server.commands().strlen(name)) != found.octets()) {
        throw new RedisException(key + " is cut or longer than its header says", "push it again");
      }
      return Optional.of(found);
    }
    if (MODULE_TYPES.contains(type)) {
      Optional<String> text = ask(() -> Optional.ofNullable(server.commands().get(beside)));
      return Optional.of(
          text.flatMap(Module::read).orElseThrow(() -> foreign("a filter of another program")));
    }
    throw foreign("a " + type);
  }

  private RedisException foreign(String what) {
    return new RedisException(key + " holds " + what + " and is left as it is", "name another key");
  }

  /**
   * Refuses a key that holds another form or something of another program.
   *
   * @param word of the form that is to be written
   */
  public void requireFreeFor(String word) throws RedisException {
    Optional<StoredFilter> found = find();
    if (found.isPresent() && !found.get().word().equals(word)) {
      throw new RedisException(
          key + " holds a filter in the form " + found.get().word() + ", not " + word,
          "name another key, or remove this one with redis-cli DEL");
    }
  }

  /** The bits of a filter by their octets. */
  @FunctionalInterface
  public interface Pages {
    /** Octets from there, {@code length} of them. */
    byte[] page(long from, int length);
  }

  /** Puts plain bits in the place of what is there. */
  public void put(Bits filter, Pages pages) throws RedisException {
    byte[] to = half.getBytes(US_ASCII);
    long size = filter.octets() - Bits.HEADER_OCTETS;
    ask(() -> {
      server.commands().del(half);
      server.commands().setrange(to, 0, filter.header());
      server.commands().expire(half, HALF_SECONDS);
      for (long at = 0; at < size; at += PAGE_OCTETS) {
        int length = (int) Math.min(PAGE_OCTETS, size - at);
        server.commands().setrange(to, Bits.HEADER_OCTETS + at, pages.page(at, length));
      }
      return exchange(Optional.empty());
    });
  }

  /** Begins to put a filter of the module in the place of what is there. */
  public Items items(Module filter) throws RedisException {
    ask(() -> {
      server.commands().del(half);
      server.commands().bfReserve(half, filter.rate(), Math.max(1, filter.entries()));
      return server.commands().expire(half, HALF_SECONDS);
    });
    return new Items(filter);
  }

  /** The items of a filter of the module, any number, each printable. On one thread. */
  public final class Items {
    private final Module filter;
    private final List<String> collected = new ArrayList<>(ITEMS);
    private @Nullable RedisException failure;

    private Items(Module filter) {
      this.filter = filter;
    }

    /** The next item; after a failure nothing is sent any more. */
    public void add(String item) {
      collected.add(item);
      if (collected.size() == ITEMS) {
        send();
      }
    }

    private void send() {
      try {
        if (failure == null && !collected.isEmpty()) {
          String[] items = collected.toArray(String[]::new);
          ask(() -> server.commands().bfMAdd(half, items));
        }
      } catch (RedisException e) {
        failure = e;
      }
      collected.clear();
    }

    /** Puts the filter in the place of what is there, if no item failed. */
    public void finish() throws RedisException {
      send();
      if (failure != null) {
        throw failure;
      }
      ask(() -> exchange(Optional.of(filter.text())));
    }
  }

  /** Puts the new half in the place of the key; {@code text} goes into the key beside it. */
  private boolean exchange(Optional<String> text) {
    try (AbstractTransaction both = server.commands().multi()) {
      both.rename(half, name);
      both.persist(name);
      text.ifPresent(header -> both.set(beside, header));
      // A command that failed is an element of the reply, such as when the half has expired.
      for (Object done : both.exec()) {
        if (done instanceof JedisDataException refused) {
          throw refused;
        }
      }
    }
    return true;
  }

  /** True when all these bits are set; one round trip. */
  public boolean allSet(long[] bits) throws RedisException {
    return ask(() -> {
      List<Response<Boolean>> answers = new ArrayList<>(bits.length);
      try (AbstractPipeline pipeline = server.commands().pipelined()) {
        for (long bit : bits) {
          answers.add(pipeline.getbit(name, (long) Bits.HEADER_OCTETS * Byte.SIZE + bit));
        }
        pipeline.sync();
      }
      return answers.stream().allMatch(Response::get);
    });
  }

  /** True when the module's filter may hold the item. */
  public boolean mayHold(String item) throws RedisException {
    return ask(() -> server.commands().bfMExists(name, item).getFirst());
  }

  @Override
  public void close() {
    server.close();
  }
}
