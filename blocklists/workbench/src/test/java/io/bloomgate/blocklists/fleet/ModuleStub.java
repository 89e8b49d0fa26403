package io.bloomgate.blocklists.fleet;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A server that has the commands of the Bloom module, where no such server is installed: its
 * filters are real ones of bits. One command at a time.
 */
final class ModuleStub implements AutoCloseable {

  private static final int HASHES = 10;

  /** A filter with the bits for one false positive in a thousand. */
  private record Filter(BitSet bits, int size) {
    boolean add(String item, boolean store) {
      boolean all = true;
      SplittableRandom places = new SplittableRandom(item.hashCode() * 0x9e3779b97f4a7c15L);
      for (int i = 0; i < HASHES; i++) {
        int place = places.nextInt(size);
        all &= bits.get(place);
        if (store) {
          bits.set(place);
        }
      }
      return all;
    }
  }

  private final Map<String, Filter> filters = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  private final RedisStub server = new RedisStub(this::reply);

  ModuleStub() throws IOException {}

  int port() {
    return server.port();
  }

  /** How often a command was given. */
  synchronized int count(String command) {
    return counts.getOrDefault(command, 0);
  }

  private synchronized String reply(List<String> words) {
    String command = words.getFirst().toUpperCase(Locale.ROOT);
    counts.merge(command, 1, Integer::sum);
    String key = words.size() > 1 ? words.get(1) : "";
    return switch (command) {
      case "EXEC" -> RedisStub.HELD;
      case "HELLO" -> "-ERR unknown command 'HELLO'\r\n";
      case "COMMAND" -> "*1\r\n*1\r\n$6\r\nbf.add\r\n";
      case "TYPE" ->
          filters.containsKey(key)
              ? "+MBbloom--\r\n"
              : texts.containsKey(key) ? "+string\r\n" : "+none\r\n";
      case "BF.RESERVE" -> {
        int size = (int) Math.ceil(Double.parseDouble(words.get(3)) * 14.4) + 64;
        filters.put(key, new Filter(new BitSet(size), size));
        yield "+OK\r\n";
      }
      case "BF.MADD" -> answers(key, words, true);
      case "BF.MEXISTS" -> answers(key, words, false);
      case "RENAME" -> {
        Filter filter = filters.remove(key);
        if (filter == null) {
          yield "-ERR no such key\r\n";
        }
        filters.put(words.get(2), filter);
        yield "+OK\r\n";
      }
      case "SET" -> {
        texts.put(key, words.get(2));
        yield "+OK\r\n";
      }
      case "GET" -> {
        String text = texts.get(key);
        yield text == null ? "$-1\r\n" : "$" + text.length() + "\r\n" + text + "\r\n";
      }
      case "DEL", "EXPIRE", "PERSIST" -> ":0\r\n";
      default -> "+OK\r\n";
    };
  }

  private String answers(String key, List<String> words, boolean store) {
    StringBuilder reply = new StringBuilder("*" + (words.size() - 2) + "\r\n");
    Filter filter = filters.get(key);
    for (String item : words.subList(2, words.size())) {
      boolean there = filter != null && filter.add(item, store);
      reply.append(there == store ? ":0\r\n" : ":1\r\n");
    }
    return reply.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
