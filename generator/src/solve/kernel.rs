//! Kernels: inner loops that run with the widest vectors of the processor.

/// An inner loop. `run` and the functions that it calls are inlined, so that each width of vectors has its own code.
pub(super) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs with the widest vectors that the processor has; without the feature `vectors`, with those that all have.
pub(super) fn widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(feature = "vectors")]
    return pulp::Arch::new().dispatch(Widest(kernel));
    #[cfg(not(feature = "vectors"))]
    kernel.run()
}

#[cfg(feature = "vectors")]
struct Widest<K>(K);

#[cfg(feature = "vectors")]
impl<K: Kernel> pulp::WithSimd for Widest<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> K::Output {
        self.0.run()
    }
}
