package io.bloomgate.blocklists.index;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.file.DamagedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not what was written are refused. */
class NetworkFileTest {

  @TempDir Path dir;

  private Path index() throws IOException {
    Path path = dir.resolve("index");
    NetworkIndexBuilder builder = new NetworkIndexBuilder(new EntryTally(1), Long.MAX_VALUE);
    builder.add(0, BuiltNetworks.entry("203.0.113.7", 1));
    builder.add(0, BuiltNetworks.entry("192.0.0.0/20", 2));
    builder.add(0, BuiltNetworks.except("203.0.113.8", 3));
    builder.add(0, BuiltNetworks.entry("2001:db8::/32", 4));
    builder.write(path, BuiltNetworks.KEYING);
    return path;
  }

  private static NetworkIndex proven(Path path) throws IOException {
    NetworkIndex index = NetworkIndex.open(path, BuiltNetworks.names(1));
    index.verify();
    return index;
  }

  @Test
  void everyOctetOfASmallFileIsProven() throws Exception {
    Path path = index();
    byte[] whole = Files.readAllBytes(path);
    // Between rows and sums there are directories of 256 KiB each, nearly all alike.
    for (int octet = 0;
        octet < whole.length;
        octet += octet > 700 && octet < whole.length - 200 ? 4099 : 1) {
      byte[] damaged = whole.clone();
      damaged[octet] ^= (byte) (1 << octet % 8);
      Files.write(path, damaged);
      assertThrows(DamagedFileException.class, () -> proven(path), "octet " + octet);
    }
    for (int length = 0; length < whole.length; length += 4001) {
      Files.write(path, Arrays.copyOf(whole, length));
      assertThrows(DamagedFileException.class, () -> proven(path), "length " + length);
    }
  }
}
