package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Allow;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Block;
import io.bloomgate.config.settings.Settings.Filter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The sections {@code allow}, {@code block} and {@code filter}. One reading. */
final class ListsBinder {

  /** Above one in two a filter would filter nothing. */
  private static final double MAX_FALSE_POSITIVE_RATE = 0.5;

  private final Path base;

  ListsBinder(Path base) {
    this.base = base;
  }

  Allow allow(Section s) {
    List<Path> files = s.list("files", List.of(), Values.files(base));
    List<Path> knownGood = s.list("known_good", List.of(), Values.files(base));
    List<String> all =
        Arrays.stream(NeverBlock.values())
            .map(n -> n.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    Set<NeverBlock> protectedSets = EnumSet.noneOf(NeverBlock.class);
    protectedSets.addAll(s.list("never_block", all, Words.dashed(NeverBlock.class)));
    return new Allow(files, knownGood, Collections.unmodifiableSet(protectedSets));
  }

  Block block(Section s) {
    return new Block(s.list("files", List.of(), Values.files(base)));
  }

  static Filter filter(Section s) {
    return new Filter(
        s.value("false_positive_rate", "0.001", Values.probability(MAX_FALSE_POSITIVE_RATE)),
        s.value("max_memory", "256MiB", Values.size("64KiB", "1024GiB")));
  }
}
