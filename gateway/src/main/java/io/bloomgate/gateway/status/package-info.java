/**
 * The state of the whole gateway as one value: the composition root makes it, and commands, pages,
 * reports, metrics and the doctor show it.
 */
@NullMarked
package io.bloomgate.gateway.status;

import org.jspecify.annotations.NullMarked;
