package io.bloomgate.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The rules that Maven cannot hold, as its walls are those of modules, for any root package: {@link
 * ArchitectureTest} checks the product with them, and checks with a broken tree of packages that
 * each of them can fail.
 *
 * @param root package that holds config, blocklists, gateway and cli
 */
record ArchitectureRules(String root) {

  /**
   * Each library inside a module, or inside the JDK, and the only packages that may import it.
   * Maven keeps the libraries of a module of blocklists from all other modules.
   */
  private static final Map<String, List<String>> DOORS =
      Map.ofEntries(
          Map.entry("org.subethamail", List.of("gateway.session")),
          Map.entry("org.apache.commons.net", List.of("gateway.relay")),
          Map.entry("org.xbill", List.of("gateway.dns", "cli.feeds")),
          Map.entry("jakarta.mail", List.of("gateway.message")),
          Map.entry("io.micrometer", List.of("gateway.metrics")),
          Map.entry("ch.qos.logback", List.of("gateway.log")),
          Map.entry("com.sun.net.httpserver", List.of("gateway.page")),
          Map.entry("io.netty", List.of("gateway.wire.tls")),
          Map.entry("gg.jte", List.of("gateway.html", "gateway.page")),
          Map.entry(
              "java.sql",
              List.of(
                  "blocklists.database",
                  "blocklists.greylist",
                  "blocklists.memory",
                  "blocklists.operator",
                  "blocklists.sessions")),
          Map.entry("com.google.gson", List.of("config.json")),
          Map.entry("org.snakeyaml", List.of("config.settings.yaml")),
          Map.entry("com.ibm.icu", List.of("config.name")));

  /**
   * What the gateway may use of blocklists besides the door, which is the package {@code
   * blocklists} itself: packages, and single classes of others.
   */
  private static final List<String> OPEN_TO_GATEWAY =
      List.of(
          "blocklists.campaign",
          "blocklists.content",
          "blocklists.decision",
          "blocklists.explain",
          "blocklists.fetch.WebClient",
          "blocklists.fetch.WebExchange",
          "blocklists.file.DurableFiles",
          "blocklists.file.FreeSpace",
          "blocklists.file.StateLock",
          "blocklists.filter.FilterShape",
          "blocklists.fleet.FleetNode",
          "blocklists.fleet.RedisException",
          "blocklists.fleet.SharedCounts",
          "blocklists.fleet.SharedLists",
          "blocklists.fleet.published.FleetSecret",
          "blocklists.fleet.published.Fleet",
          "blocklists.generation.FilterCounters",
          "blocklists.generation.KeyBatch",
          "blocklists.generation.ListAnswer",
          "blocklists.generation.ListSnapshot",
          "blocklists.generation.SnapshotManifest",
          "blocklists.greylist.Greylist",
          "blocklists.greylist.GreylistSharing",
          "blocklists.guard.FeedDiff$Changes",
          "blocklists.guard.HeldEntry",
          "blocklists.generation.KnownGoodHits",
          "blocklists.guard.MailProviders",
          "blocklists.impact.PastSession",
          "blocklists.memory",
          "blocklists.operator.AuditRecord",
          "blocklists.operator.EntryUses",
          "blocklists.operator.NewEntry",
          "blocklists.operator.OperatorEntry",
          "blocklists.operator.OperatorLists",
          "blocklists.operator.OperatorListsException",
          "blocklists.operator.OperatorRules$Refusal",
          "blocklists.operator.OperatorText",
          "blocklists.operator.OperatorView",
          "blocklists.operator.RecipientEntry",
          "blocklists.operator.RecipientLists",
          "blocklists.operator.SharedCommand$Act",
          "blocklists.operator.TypedSubject",
          "blocklists.refresh.FeedAge",
          "blocklists.refresh.FeedCommands",
          "blocklists.refresh.FeedLoop",
          "blocklists.refresh.FeedState",
          "blocklists.refresh.FeedStatus",
          "blocklists.refresh.LastCheck",
          "blocklists.score.FeedActions$Acting",
          "blocklists.score.FeedPromotion",
          "blocklists.senders.FeedHits",
          "blocklists.sessions",
          "blocklists.database.SqliteFile",
          "blocklists.url.SharedHosts");

  /** Packages of the gateway whose code runs on threads of sessions. */
  private static final List<String> MAIL_PATH =
      List.of(
          "gateway.message", "gateway.relay", "gateway.session", "gateway.smtp", "gateway.wire");

  /** The same for the command line, which also runs the workbench and imports other lists. */
  private static final List<String> OPEN_TO_COMMAND_LINE =
      List.of(
          "blocklists.backup",
          "blocklists.campaign.MailPrint",
          "blocklists.content",
          "blocklists.decision.Content$Shown",
          "blocklists.decision.Signs",
          "blocklists.explain",
          "blocklists.workbench",
          "blocklists.file.DurableFiles",
          "blocklists.file.FreeSpace",
          "blocklists.filter.FilterKind",
          "blocklists.filter.FilterShape",
          "blocklists.fleet.RedisKey",
          "blocklists.fleet.published.FleetKeys",
          "blocklists.format.FeedFormat",
          "blocklists.format.FeedSink$ParseProblem",
          "blocklists.format.ParseTotals",
          "blocklists.generation.FeedCounts",
          "blocklists.guard.FeedDiff",
          "blocklists.guard.FeedOverlap",
          "blocklists.guard.FeedReport",
          "blocklists.guard.FeedTest",
          "blocklists.guard.GuardedText",
          "blocklists.generation.KnownGoodHits",
          "blocklists.generation.KnownGood",
          "blocklists.guard.MailProviders",
          "blocklists.guard.ProtectFiles",
          "blocklists.guard.ProtectedSet",
          "blocklists.guard.SpfNetworks",
          "blocklists.impact",
          "blocklists.replay",
          "blocklists.operator.NewEntry",
          "blocklists.operator.OperatorEntry",
          "blocklists.operator.OperatorLists",
          "blocklists.operator.OperatorListsException",
          "blocklists.operator.OperatorText",
          "blocklists.operator.RecipientEntry",
          "blocklists.operator.TypedSubject",
          "blocklists.operator.migration",
          "blocklists.refresh.KeptVersions",
          "blocklists.senders.KnownSender",
          "blocklists.sessions",
          "blocklists.senders.KnownSenders");

  private static final List<String> MAKES_THREADS =
      List.of("<init>", "ofVirtual", "ofPlatform", "startVirtualThread");

  /**
   * No session can wait for another node or for Redis. Only classes that put the gateway together
   * connect the two; that what decides about mail does not know the fleet, Maven says.
   */
  ArchRule mailPathKnowsNoFleet() {
    return noClasses()
        .that(of(MAIL_PATH))
        .should()
        .dependOnClassesThat(of(List.of("blocklists.fleet")));
  }

  /** Sessions and commands use the lists through one class; how lists are made is closed. */
  ArchRule gatewayUsesTheDoorOfBlocklists() {
    return usesOnly("gateway", OPEN_TO_GATEWAY);
  }

  ArchRule commandLineUsesTheDoorOfBlocklists() {
    return usesOnly("cli", OPEN_TO_COMMAND_LINE);
  }

  /** Full names of all packages and classes of blocklists that are open to others. */
  List<String> open() {
    return Stream.concat(OPEN_TO_GATEWAY.stream(), OPEN_TO_COMMAND_LINE.stream())
        .map(this::module)
        .toList();
  }

  private ArchRule usesOnly(String user, List<String> open) {
    String blocklists = module("blocklists");
    DescribedPredicate<JavaClass> closed =
        describe(
            "rooms of blocklists that are closed to " + user,
            c ->
                within(c, blocklists)
                    && !c.getPackageName().equals(blocklists)
                    && !of(open).test(c));
    return noClasses().that(of(List.of(user))).should().dependOnClassesThat(closed);
  }

  ArchRule packagesFormNoCycle() {
    return SlicesRuleDefinition.slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** Nobody else imports what has a door. */
  ArchRule oneLibraryOneDoor() {
    return classes().should(importLibrariesThroughTheirDoors()).as("one library, one door");
  }

  /**
   * Clocks, randomness and threads are handed in, so that tests can hold them still.
   *
   * <p>{@link Thread#start()} and pools over a factory are allowed: such a thread came out of a
   * {@link ThreadFactory} that was handed in.
   *
   * @param composers simple names, below the root, of classes and packages that hand them out
   */
  ArchRule clockRandomnessAndThreadsAreHandedIn(List<String> composers) {
    DescribedPredicate<JavaAccess<?>> source =
        describe("a clock, randomness or a new thread", ArchitectureRules::reachesOutside);
    DescribedPredicate<JavaClass> others =
        describe(
            "outside the composition roots",
            c -> composers.stream().noneMatch(name -> within(c, module(name))));
    return noClasses().that(others).should().accessTargetWhere(source);
  }

  /** Null is banned by default in every package; its package-info says so. */
  ArchRule packagesAreNullMarked() {
    return classes().should(beInNullMarkedPackages());
  }

  private DescribedPredicate<JavaClass> of(List<String> names) {
    return describe("of " + names, c -> names.stream().anyMatch(name -> within(c, module(name))));
  }

  private String module(String name) {
    return root + "." + name;
  }

  /** True for the class or package of that full name and for everything nested in it. */
  private static boolean within(JavaClass c, String name) {
    String full = c.getName();
    return full.startsWith(name)
        && (full.length() == name.length() || ".$".indexOf(full.charAt(name.length())) >= 0);
  }

  private ArchCondition<JavaClass> importLibrariesThroughTheirDoors() {
    return new ArchCondition<>("import libraries through their doors") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        for (var dependency : user.getDirectDependenciesFromSelf()) {
          JavaClass used = dependency.getTargetClass().getBaseComponentType();
          if (!mayImport(user, used)) {
            events.add(SimpleConditionEvent.violated(user, dependency.getDescription()));
          }
        }
      }
    };
  }

  private boolean mayImport(JavaClass user, JavaClass used) {
    return DOORS.entrySet().stream()
        .filter(door -> within(used, door.getKey()))
        .allMatch(door -> of(door.getValue()).test(user));
  }

  private static boolean reachesOutside(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getName();
    boolean made = name.equals("<init>");
    return switch (owner.getName()) {
      case "java.lang.System" -> name.equals("currentTimeMillis") || name.equals("nanoTime");
      case "java.time.Clock" -> name.startsWith("system") || name.startsWith("tick");
      case "java.time.InstantSource" -> name.equals("system");
      case "java.lang.Math", "java.lang.StrictMath" -> name.equals("random");
      case "java.util.UUID" -> name.equals("randomUUID");
      case "java.util.concurrent.ThreadLocalRandom" -> name.equals("current");
      case "java.util.random.RandomGenerator" -> name.equals("of") || name.equals("getDefault");
      case "java.util.random.RandomGeneratorFactory" -> true;
      case "java.util.Date", "java.util.Timer", "java.util.SplittableRandom" -> made;
      case "java.util.Calendar" -> name.equals("getInstance");
      case "java.util.concurrent.Executors" -> !takes(access, ThreadFactory.class);
      case "java.util.concurrent.ForkJoinPool" -> made || name.equals("commonPool");
      default -> reachesOutsideBySubclass(owner, name) || readsSystemClock(access);
    };
  }

  private static boolean reachesOutsideBySubclass(JavaClass owner, String name) {
    if (owner.isAssignableTo(Random.class)) {
      return name.equals("<init>") || name.startsWith("getInstance");
    }
    return owner.isAssignableTo(Thread.class) && MAKES_THREADS.contains(name);
  }

  /** {@code now(Clock)} asks a clock that was handed in; the other forms ask the system's. */
  private static boolean readsSystemClock(JavaAccess<?> access) {
    return access.getTargetOwner().getPackageName().equals("java.time")
        && access.getName().equals("now")
        && !takes(access, Clock.class);
  }

  private static boolean takes(JavaAccess<?> access, Class<?> parameter) {
    return access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream().anyMatch(p -> p.isEquivalentTo(parameter));
  }

  private static ArchCondition<JavaClass> beInNullMarkedPackages() {
    return new ArchCondition<>("stand in packages marked @NullMarked") {
      @Override
      public void check(JavaClass c, ConditionEvents events) {
        if (!c.getPackage().isAnnotatedWith(NullMarked.class)) {
          events.add(
              SimpleConditionEvent.violated(
                  c, c.getPackageName() + " has no @NullMarked package-info"));
        }
      }
    };
  }
}
