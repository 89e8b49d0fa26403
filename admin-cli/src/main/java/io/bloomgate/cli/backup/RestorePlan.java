package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.ArchiveManifest;
import io.bloomgate.blocklists.backup.ArchiveManifest.Member;
import io.bloomgate.blocklists.backup.MemberName;
import io.bloomgate.cli.backup.PlacedFile.How;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a restore does, decided before anything is written. Used by {@link RestoreCommand}.
 *
 * @param settings the settings file
 * @param elsewhere files that the settings name, with the member that holds each
 * @param before where the old state goes; empty when there is none
 */
record RestorePlan(
    ArchiveManifest manifest,
    Path stateDir,
    Optional<Path> before,
    PlacedFile settings,
    List<Placed> elsewhere) {

  RestorePlan {
    elsewhere = List.copyOf(elsewhere);
  }

  /** One file that the settings name. */
  record Placed(Member member, PlacedFile file) {}

  static RestorePlan of(
      ArchiveManifest manifest,
      Path stateDir,
      Optional<Path> before,
      Path settingsFile,
      boolean force)
      throws CliException {
    Path target = settingsFile.toAbsolutePath().normalize();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    PlacedFile settings = new PlacedFile(target, How.LEFT);
    List<Placed> elsewhere = new ArrayList<>();
    for (Member member : manifest.members()) {
      if (member.name().equals(MemberName.SETTINGS)) {
        settings = PlacedFile.decide(target, member.sha256(), force);
      }
      Optional<Path> place = MemberName.elsewhere(member.name());
      if (place.isPresent()) {
        elsewhere.add(
            new Placed(
                member, PlacedFile.decideWithin(folder, place.get(), member.sha256(), force)));
      }
    }
    return new RestorePlan(manifest, stateDir, before, settings, elsewhere);
  }

  /** True when files stay beside the state directory for the operator to copy. */
  boolean leaves() {
    return elsewhere.stream().anyMatch(placed -> placed.file().how() == How.LEFT);
  }

  /** One object a step, for scripts; {@code done} is false for a plan. */
  List<JsonObject> steps(boolean done) {
    List<JsonObject> steps = new ArrayList<>();
    steps.add(
        JsonValue.object()
            .put("step", "state")
            .put("to", stateDir.toString())
            .put("how", before.isPresent() ? "replaced" : "made")
            .put("old", before.map(Path::toString).orElse(""))
            .put("created", manifest.created().toString())
            .put("version", manifest.version())
            .put("generation", manifest.generation())
            .put("files", manifest.members().size())
            .put("octets", manifest.octets())
            .put("sessions", manifest.sessions())
            .put("done", done)
            .build());
    steps.add(step("settings", settings, done));
    elsewhere.forEach(placed -> steps.add(step("file", placed.file(), done)));
    return steps;
  }

  private static JsonObject step(String name, PlacedFile file, boolean done) {
    return JsonValue.object()
        .put("step", name)
        .put("to", file.place().toString())
        .put("how", file.how().words())
        .put("done", done)
        .build();
  }
}
