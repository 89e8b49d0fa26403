package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.MemberName;
import io.bloomgate.blocklists.backup.Restore;
import io.bloomgate.blocklists.backup.Restore.Member;
import io.bloomgate.cli.backup.PlacedFile.How;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a restore, decided before anything is written. Used by {@link RestoreCommand}.
 *
 * @param settings the settings file
 * @param elsewhere files that the settings name, with the member that holds each
 * @param before where the old state goes; empty when there is none
 */
record RestorePlan(
    Restore.Contents contents,
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
      Restore.Contents contents,
      Path stateDir,
      Optional<Path> before,
      Path settingsFile,
      boolean force)
      throws CliException {
    Path target = settingsFile.toAbsolutePath().normalize();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    PlacedFile settings = new PlacedFile(target, How.LEFT);
    List<Placed> elsewhere = new ArrayList<>();
    for (Member member : contents.members()) {
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
    return new RestorePlan(contents, stateDir, before, settings, elsewhere);
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
            .put("created", contents.manifest().created().toString())
            .put("version", contents.manifest().version())
            .put("generation", contents.manifest().generation())
            .put("files", contents.members().size())
            .put("octets", contents.octets())
            .put("sessions", contents.manifest().sessions())
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
