package io.bloomgate.blocklists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.KnownGoodSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which known good sender a block would refuse. */
class KnownGoodBlocksTest {

  private static final long SEED = 0x6_00dL;

  @TempDir private Path folder;

  private KnownGoodSet index(List<String> lines) throws Exception {
    Path file = Files.write(folder.resolve("good.txt"), lines);
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    KnownGoodFiles.read(List.of(file)).collect(set);
    return set.build();
  }

  private static Optional<String> find(KnownGoodSet index, String block) {
    return ProtectedBlocks.find(index, Subject.parse(block).toOptional().orElseThrow())
        .map(Subject::toString);
  }

  @Test
  void aNameCoversWhatIsBelowIt() throws Exception {
    KnownGoodSet index =
        index(List.of("mail.partner.example", "x@shop.example", "https://docs.example/a"));
    assertEquals(Optional.of("mail.partner.example"), find(index, "partner.example"));
    assertEquals(Optional.of("mail.partner.example"), find(index, "mail.partner.example"));
    assertEquals(Optional.empty(), find(index, "a.mail.partner.example"));
    assertEquals(Optional.of("x@shop.example"), find(index, "shop.example"));
    assertEquals(Optional.of("x@shop.example"), find(index, "x@shop.example"));
    assertEquals(Optional.empty(), find(index, "y@shop.example"));
    assertEquals(Optional.empty(), find(index, "docs.example"));
  }

  @Test
  void networksAreFoundAsOneByOne() throws Exception {
    Random random = new Random(SEED);
    List<IpPrefix> good = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      good.add(network(random, 24));
    }
    KnownGoodSet index = index(good.stream().map(IpPrefix::toString).toList());
    for (int i = 0; i < 5_000; i++) {
      IpPrefix block = network(random, 16);
      Optional<Subject> found = ProtectedBlocks.find(index, block);
      assertEquals(
          good.stream().anyMatch(block::overlaps),
          found.isPresent(),
          () -> "seed " + SEED + ", block " + block);
      assertTrue(
          found.stream().allMatch(one -> one instanceof IpPrefix hit && block.overlaps(hit)),
          () -> "seed " + SEED + ", block " + block);
    }
  }

  private static IpPrefix network(Random random, int shortest) {
    int bits = (10 << 24) | random.nextInt(1 << 18);
    return IpPrefix.around(IpAddress.ofV4(bits), shortest + random.nextInt(33 - shortest));
  }
}
