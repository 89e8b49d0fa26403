package io.bloomgate.gateway.doctor;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says when Java did not start from its AOT cache (JEP 514): everything works then, and the first
 * mails after a start are slower. Java itself says nothing, because the launcher silences it. Pure.
 * Used by {@link Doctor}.
 */
final class StartCacheCheck {

  /** Property that the launcher sets for {@code run}: the cache, empty when it has none to give. */
  static final String CACHE = "bloomgate.start_cache";

  /**
   * Property of Java: its mode, with {@link #USED} when it has mapped the cache that it was given.
   */
  static final String MODE = "java.vm.info";

  private static final String USED = "sharing";

  private StartCacheCheck() {}

  /**
   * The finding that Java did not use the cache; empty when it did.
   *
   * @param cache value of {@link #CACHE}; {@code null} when the launcher did not start this Java
   * @param mode value of {@link #MODE}
   */
  static Optional<DoctorFinding> finding(@Nullable String cache, String mode) {
    if (cache == null || (!cache.isEmpty() && mode.contains(USED))) {
      return Optional.empty();
    }
    String why =
        cache.isEmpty()
            ? "there is none, or it is older than the program"
            : "it is missing, or was made by another Java, for other jars or with other options";
    return Optional.of(
        DoctorFinding.warn(
            Doctor.Check.GATEWAY.word(),
            cache.isEmpty() ? "this machine" : cache,
            "Java uses no start cache: " + why + "; the first mails after a start are slower",
            "`bloomgate --train` makes one for the service, `@train` one for the image; then"
                + " restart"));
  }
}
