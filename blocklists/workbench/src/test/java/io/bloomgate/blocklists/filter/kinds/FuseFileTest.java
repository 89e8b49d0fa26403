package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Binary fuse filters on disk. */
@Tag("filters")
class FuseFileTest {

  private static final Keying KEYING = new Keying(1, 1, 11, 12);

  private static final int HEADER_OCTETS = 512;

  @TempDir Path dir;

  private static MembershipFilter build(FilterKind kind, int count) throws FilterBuildException {
    return FilterKinds.build(
        kind,
        new FilterRequest(count, 0.01),
        sink -> new SplittableRandom(4).longs(count).forEach(sink));
  }

  /** What changes the octets behind the header needs another number of the format. */
  @ParameterizedTest
  @CsvSource({
    "FUSE8,56f81763b199696a9aa7c8c083d94e3b5648695118a0927ea08ce8d38e4f9117",
    "FUSE16,2b04f91eb2101306ad8271a892fee3be69fcf41b929ddba0bab52c6cad841fe9"
  })
  void theBodyIsTheSameInOneFormat(FilterKind kind, String sha256) throws Exception {
    Path path = dir.resolve("f");
    FilterFile.write(path, build(kind, 1000), KEYING);
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    byte[] file = Files.readAllBytes(path);
    sha.update(file, HEADER_OCTETS, file.length - HEADER_OCTETS);
    assertEquals(sha256, HexFormat.of().formatHex(sha.digest()));
  }
}
