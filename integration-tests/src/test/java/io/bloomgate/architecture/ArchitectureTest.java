package io.bloomgate.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the compiled product to the layout of its modules, and the rules themselves to a tree of
 * packages under {@code broken} that breaks every one of them.
 */
class ArchitectureTest {
  private static final String PRODUCT_ROOT = "io.bloomgate";
  private static final String BROKEN_ROOT = "io.bloomgate.architecture.broken";

  /** The only places that make clocks, randomness and threads; each is the top of a program. */
  private static final List<String> COMPOSERS =
      List.of("gateway.Platform", "gateway.Main", "gateway.demo", "cli.BloomgateCli");

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(PRODUCT_ROOT);

  private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(BROKEN_ROOT);

  private static final ArchitectureRules RULES = new ArchitectureRules(PRODUCT_ROOT);
  private static final ArchitectureRules BROKEN_RULES = new ArchitectureRules(BROKEN_ROOT);

  /** A rule and a piece of the violation that the broken packages hold for it. */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule("no fleet", ArchitectureRules::mailPathKnowsNoFleet, "AsksRedis"),
        rule("door", ArchitectureRules::gatewayUsesTheDoorOfBlocklists, "admin.OpensRooms"),
        rule("CLI door", ArchitectureRules::commandLineUsesTheDoorOfBlocklists, "cli.OpensRooms"),
        rule("no cycle", ArchitectureRules::packagesFormNoCycle, "Cycle detected"),
        rule("one door", ArchitectureRules::oneLibraryOneDoor, "org.xbill"),
        rule("SQL has a door too", ArchitectureRules::oneLibraryOneDoor, "java.sql"),
        rule("clock", ArchitectureTest::handedIn, "java.time.Instant.now()"),
        rule("clock by reference", ArchitectureTest::handedIn, "java.lang.System.nanoTime()"),
        rule("randomness", ArchitectureTest::handedIn, "java.security.SecureRandom"),
        rule("threads", ArchitectureTest::handedIn, "java.lang.Thread.ofVirtual()"),
        rule("null", ArchitectureRules::packagesAreNullMarked, "broken.cli has no @NullMarked"));
  }

  private static ArchRule handedIn(ArchitectureRules rules) {
    return rules.clockRandomnessAndThreadsAreHandedIn(COMPOSERS);
  }

  private static Arguments rule(
      String name, Function<ArchitectureRules, ArchRule> rule, String violation) {
    return Arguments.of(Named.of(name, rule), violation);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void productKeepsTheRule(Function<ArchitectureRules, ArchRule> rule, String violation) {
    rule.apply(RULES).check(PRODUCT);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void brokenPackagesBreakTheRule(Function<ArchitectureRules, ArchRule> rule, String violation) {
    EvaluationResult result = rule.apply(BROKEN_RULES).evaluate(BROKEN);
    String report = result.getFailureReport().toString();
    assertTrue(result.hasViolation() && report.contains(violation), report);
  }

  /** A renamed root package would make every rule above hold for nothing. */
  @Test
  void everyModuleIsLookedAt() {
    for (String module : List.of("config", "blocklists", "gateway", "cli")) {
      String inside = PRODUCT_ROOT + "." + module;
      assertTrue(PRODUCT.stream().anyMatch(c -> c.getPackageName().startsWith(inside)), inside);
    }
  }

  /** A renamed class that stays in the list would open a room again when the name comes back. */
  @Test
  void whatIsOpenOfBlocklistsExists() {
    for (String open : RULES.open()) {
      assertTrue(
          PRODUCT.stream()
              .anyMatch(c -> c.getName().equals(open) || c.getPackageName().equals(open)),
          open);
    }
  }

  /** The composition roots may make clocks: the rule must allow them. */
  @Test
  void composersMayMakeClocks() {
    EvaluationResult result = handedIn(BROKEN_RULES).evaluate(BROKEN);
    assertTrue(
        result.getFailureReport().getDetails().stream()
            .noneMatch(line -> line.startsWith("Method <" + BROKEN_ROOT + ".gateway.Platform")),
        () -> result.getFailureReport().toString());
  }
}
