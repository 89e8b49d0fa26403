/**
 * JSON as a closed family of immutable values, and the only door to the JSON library.
 *
 * <p>{@link io.bloomgate.config.json.Json} reads and writes text; {@link
 * io.bloomgate.config.json.JsonValue} is what code works with. Used by the control protocol, the
 * feeds that are JSON, manifests and logs, on any thread.
 */
@NullMarked
package io.bloomgate.config.json;

import org.jspecify.annotations.NullMarked;
